/** Sounds, made here from noise and tones; off until the player turns them on. */

import { pref } from "./prefs.js";

let context = null;

/** Each: what sounds, and for how long. */
const SOUNDS = {
  card: (at) => rustle(at, 0.07, 2600, 0.22),
  turn: (at) => rustle(at, 0.05, 3800, 0.16),
  chip: (at) => [0, 0.035].forEach((after) => tone(at + after, 2900 + after * 9000, 0.05, 0.09)),
  win: (at) => [523, 659, 784].forEach((hertz, index) => tone(at + index * 0.09, hertz, 0.28, 0.1)),
  rare: (at) => [523, 659, 784, 1047].forEach((hertz, index) => tone(at + index * 0.1, hertz, 0.5, 0.1)),
};

/** Play a sound after so many milliseconds. @param {keyof typeof SOUNDS} name */
export function play(name, afterMs = 0) {
  if (!pref("sound")) return;
  context ??= new AudioContext();
  void context.resume();
  SOUNDS[name](context.currentTime + afterMs / 1000);
}

function envelope(at, length, loudness) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loudness, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  gain.connect(context.destination);
  return gain;
}

function tone(at, hertz, length, loudness) {
  const oscillator = context.createOscillator();
  oscillator.type = "triangle";
  oscillator.frequency.value = hertz;
  oscillator.connect(envelope(at, length, loudness));
  oscillator.start(at);
  oscillator.stop(at + length);
}

function rustle(at, length, hertz, loudness) {
  const frames = Math.ceil(context.sampleRate * length);
  const buffer = context.createBuffer(1, frames, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < frames; index += 1) samples[index] = Math.random() * 2 - 1;
  const source = context.createBufferSource();
  const filter = context.createBiquadFilter();
  source.buffer = buffer;
  filter.type = "bandpass";
  filter.frequency.value = hertz;
  source.connect(filter).connect(envelope(at, length, loudness));
  source.start(at);
}
