/** The sheets' words in English. */

export default {
  "keys.deal": "Deal or rebet",
  "keys.digits": "Type the bet",
  "keys.back": "Correct the bet",
  "keys.lobby": "To the lobby",
  "keys.help": "This list",
  "settings.language": "Language",
  "settings.theme": "Light or dark",
  "settings.sound": "Sound",
  "settings.four_colours": "A colour for each suit",
  "theme.auto": "As the device",
  "theme.light": "Light",
  "theme.dark": "Dark",
};
