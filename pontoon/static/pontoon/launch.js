/**
 * How the page is started: by an address whose fragment brings the session's token, the language
 * and the lobby. The token leaves the address bar at once; a reload finds it in this tab's storage.
 */

const KEY = "pontoon.launch";

/**
 * @typedef {{token: string, language: string, lobby: string}} Launch
 * @returns {Launch}
 */
export function readLaunch() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (!given.has("token")) return stored() ?? { token: "", language: "", lobby: "" };
  const launch = {
    token: given.get("token") ?? "",
    language: given.get("lang") ?? "",
    lobby: safeAddress(given.get("lobby") ?? ""),
  };
  history.replaceState(null, "", location.pathname + location.search);
  store(launch);
  return launch;
}

/** Forget the token: the session is over. */
export function forgetLaunch() {
  const launch = stored();
  if (launch) store({ ...launch, token: "" });
}

/** Only the web's own schemes: an address may not be a script. */
function safeAddress(text) {
  const address = URL.canParse(text) ? new URL(text) : null;
  return address && ["http:", "https:"].includes(address.protocol) ? address.href : "";
}

function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  } catch {
    return null;
  }
}

function store(launch) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(launch));
  } catch {
    // Without storage a reload starts from the lobby again.
  }
}
