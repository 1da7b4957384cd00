/**
 * The one line to the service: every request of the page goes through here.
 *
 * What has an id (a `round_id`, a `seq`, an `Idempotency-Key`) or only reads is tried again, with
 * the same id, until it is answered; whoever waits is told by `onLink`. An answer that is a problem
 * becomes an ApiError with its stable `code`.
 */

const TIMEOUT_MS = 10_000;
const WAITS_MS = [400, 800, 1600, 3000, 5000];
const AGAIN_STATUS = new Set([502, 504]);
const AGAIN_CODES = new Set(["unavailable", "too_many_requests"]);
const FAULTS_MAX = 2; // of a 500, which is seldom cured by asking again

/** A problem that the service answered (RFC 9457). */
export class ApiError extends Error {
  /** @param {number} status @param {Record<string, any>} problem @param {number} retryAfterS */
  constructor(status, problem, retryAfterS) {
    super(problem.detail ?? `HTTP ${status}`);
    this.status = status;
    this.code = problem.code ?? (status >= 500 ? "internal_error" : "malformed");
    this.problem = problem;
    this.retryAfterS = retryAfterS;
  }
}

/** Nobody answered, or not in time. */
class Unreachable extends Error {}

/**
 * @param {{token: string, language: () => string, onLink?: (link: Link) => void}} about
 * @typedef {{isUp: boolean, attempt: number}} Link
 */
export function makeClient({ token, language, onLink = () => {} }) {
  const call = (method, path, body, headers = {}) =>
    untilAnswered(() => send({ method, path, body, headers, token, language }), onLink);
  return {
    me: () => call("GET", "me"),
    currencies: () => call("GET", "currencies"),
    currentRound: () => call("GET", "rounds/current"),
    round: (id) => call("GET", `rounds/${id}`),
    rounds: (query = {}) => call("GET", `rounds?${new URLSearchParams(query)}`),
    proof: (id) => call("GET", `rounds/${id}/proof`),
    statement: (query = {}) => call("GET", `me/statement?${new URLSearchParams(query)}`),
    rules: (rules, lang) => call("GET", `rules/${rules}?lang=${lang}`),
    strategy: (rules) => call("GET", `rules/${rules}/strategy`),
    /** `bet` names its own `round_id`: the same again is the same round. */
    openRound: (bet) => call("POST", "rounds", bet),
    act: (id, seq, action) => call("POST", `rounds/${id}/actions`, { seq, action }),
    setLimit: (kind, body) => call("PUT", `me/limits/${kind}`, body),
    /** Every so many minutes; null for never. @param {number | null} minutes */
    setRealityCheck: (minutes) => call("PUT", "me/reality-check", { interval_min: minutes }),
    acknowledgeReality: (told) => call("POST", "me/reality-check/ack", told),
    readNotice: (id) => call("POST", `me/notices/${id}/read`, {}),
    advice: (id) => call("GET", `rounds/${id}/advice`),
    exclude: (body) => call("POST", "me/exclusions", body, { "Idempotency-Key": newId() }),
    endSession: () => call("DELETE", "sessions/current"),
  };
}

/** A new UUID; also where the page is not served by https. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

async function untilAnswered(attemptOnce, onLink) {
  let faults = 0;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await attemptOnce();
      onLink({ isUp: true, attempt: 0 });
      return answer;
    } catch (error) {
      if (error.status >= 500) faults += 1;
      if (!isWorthAnother(error, faults)) {
        if (error instanceof ApiError) onLink({ isUp: true, attempt: 0 });
        throw error;
      }
      onLink({ isUp: false, attempt });
      const wait = WAITS_MS[Math.min(attempt, WAITS_MS.length) - 1];
      await pause(Math.max(wait, (error.retryAfterS ?? 0) * 1000));
    }
  }
}

function isWorthAnother(error, faults) {
  if (error instanceof Unreachable) return true;
  if (!(error instanceof ApiError)) return false;
  if (error.code === "internal_error" && error.status === 500) return faults <= FAULTS_MAX;
  return AGAIN_STATUS.has(error.status) || AGAIN_CODES.has(error.code);
}

/** Wait so long, or until the device says that it is online again. */
function pause(milliseconds) {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      removeEventListener("online", go);
      resolve(undefined);
    };
    const timer = setTimeout(go, milliseconds);
    addEventListener("online", go);
  });
}

async function send({ method, path, body, headers, token, language }) {
  const response = await reach(`/api/v1/${path}`, {
    method,
    headers: {
      Accept: "application/json",
      "Accept-Language": language(),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body && { "Content-Type": "application/json" }),
      ...headers,
    },
    body: body && JSON.stringify(body),
    cache: "no-store",
    credentials: "omit",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.ok) return response.value;
  throw new ApiError(response.status, response.value ?? {}, response.retryAfterS);
}

/** Fetch and read to the end; an answer that breaks off is none. */
async function reach(address, request) {
  try {
    const response = await fetch(address, request);
    const text = await response.text();
    const isJson = /json/.test(response.headers.get("Content-Type") ?? "");
    return {
      ok: response.ok,
      status: response.status,
      retryAfterS: Number(response.headers.get("Retry-After")) || 0,
      value: isJson && text ? JSON.parse(text) : null,
    };
  } catch (error) {
    throw new Unreachable(String(error));
  }
}
