/** Small sounds, made on the spot: no file is loaded. Silent unless switched on. */

import { settings } from "./settings.svelte";

let context: AudioContext | undefined;

/** One soft tone: pitch in hertz, length in seconds, after a delay. */
function tone(pitch: number, length: number, delay = 0, loud = 0.12, shape: OscillatorType = "triangle") {
  context ??= new AudioContext();
  const start = context.currentTime + delay;
  const volume = context.createGain();
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(loud * settings.volume * 2, start + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  const voice = context.createOscillator();
  voice.type = shape;
  voice.frequency.value = pitch;
  voice.connect(volume).connect(context.destination);
  voice.start(start);
  voice.stop(start + length);
}

const SOUNDS = {
  tile: () => tone(140, 0.09, 0, 0.3, "sine"),
  piece: () => tone(320, 0.07),
  score: () => [523, 659, 784].forEach((pitch, i) => tone(pitch, 0.18, i * 0.09)),
  turn: () => [392, 523].forEach((pitch, i) => tone(pitch, 0.2, i * 0.12)),
  discard: () => [220, 165].forEach((pitch, i) => tone(pitch, 0.3, i * 0.18, 0.18)),
  end: () => [392, 494, 587, 784].forEach((pitch, i) => tone(pitch, 0.4, i * 0.16)),
};

export function play(sound: keyof typeof SOUNDS) {
  if (settings.sound) SOUNDS[sound]();
}
