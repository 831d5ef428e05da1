/**
 * Sounds of the table, made by the browser itself: tiles are short bursts of filtered noise, calls and wins a few
 * plucked tones. A switch turns them off; nothing is loaded.
 * @module
 */
import { read, write } from "./i18n.js";

/** @typedef {"draw" | "discard" | "call" | "riichi" | "win" | "ask" | "end"} Sound */
/** @typedef {{at: number, frequency: number, seconds: number, volume: number}} Tone */

const KEY = "janshi.sound";
const VOLUME = 0.5;
/** A tile on the table: seconds, centre of its sound in hertz, volume. */
const CLICKS = /** @type {Record<string, [number, number, number][]>} */ ({
  draw: [[0.03, 2600, 0.16]],
  discard: [[0.05, 1900, 0.5]],
  call: [
    [0.05, 1700, 0.5],
    [0.05, 2100, 0.5],
  ],
  riichi: [[0.06, 1500, 0.6]],
});
/** Seconds between the clicks of a sound. */
const APART = 0.07;
/** Notes of a sound, in hertz, one after another. */
const NOTES = /** @type {Record<string, [number[], number, number]>} */ ({
  call: [[523, 659], 0.07, 0.16],
  riichi: [[587, 784, 1175], 0.09, 0.2],
  win: [[523, 659, 784, 1047, 1319], 0.1, 0.24],
  ask: [[880], 0.1, 0.1],
  end: [[392, 330], 0.14, 0.12],
});

/** @type {AudioContext | null} */
let context = null;

/** Whether sounds are on. */
export function soundOn() {
  return read(KEY) !== "off";
}

/** @param {boolean} on */
export function setSound(on) {
  write(KEY, on ? "on" : "off");
  if (on) play("discard");
}

/**
 * Plays a sound, if sounds are on and the browser allows them yet.
 * @param {Sound} sound
 */
export function play(sound) {
  if (!soundOn() || typeof AudioContext === "undefined") return;
  if (!navigator.userActivation?.hasBeenActive) return; // browsers forbid sounds before the first press
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  const now = context.currentTime + 0.01;
  (CLICKS[sound] ?? []).forEach((click, i) => click && clack(now + i * APART, ...click));
  const [notes = [], step = 0, volume = 0] = NOTES[sound] ?? [];
  notes.forEach((frequency, i) => pluck({ at: now + i * step, frequency, seconds: 3 * step, volume }));
}

/**
 * What is heard of the events of a state: the most important one only.
 * @param {import("./types.js").LiveEvent[]} events
 * @param {{own: number | null, asked: boolean}} viewer the seat of the viewer, and whether a call is offered
 * @returns {Sound | null}
 */
export function soundOf(events, { own, asked }) {
  const has = (/** @type {string} */ type) => events.some((event) => event.type === type);
  if (has("win")) return "win";
  if (has("riichi") || events.some((event) => event.type === "discard" && event.riichi)) return "riichi";
  if (has("call") || has("kan")) return "call";
  if (asked) return "ask";
  if (has("discard")) return "discard";
  if (has("end")) return "end";
  return events.some((event) => event.type === "draw" && event.seat === own) ? "draw" : null;
}

/**
 * A burst of noise that dies away.
 * @param {number} at
 * @param {number} seconds
 * @param {number} centre
 * @param {number} volume
 */
function clack(at, seconds, centre, volume) {
  if (!context) return;
  const source = new AudioBufferSourceNode(context, { buffer: noise(context, seconds) });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: centre, Q: 1.2 });
  source
    .connect(filter)
    .connect(fading(context, at, seconds, volume))
    .connect(context.destination);
  source.start(at);
}

/** @param {Tone} tone */
function pluck({ at, frequency, seconds, volume }) {
  if (!context) return;
  const source = new OscillatorNode(context, { type: "triangle", frequency });
  source.connect(fading(context, at, seconds, volume)).connect(context.destination);
  source.start(at);
  source.stop(at + seconds);
}

/**
 * @param {AudioContext} within
 * @param {number} at
 * @param {number} seconds
 * @param {number} volume
 */
function fading(within, at, seconds, volume) {
  const gain = new GainNode(within, { gain: 0 });
  gain.gain.setValueAtTime(VOLUME * volume, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  return gain;
}

/**
 * @param {AudioContext} within
 * @param {number} seconds
 */
function noise(within, seconds) {
  const length = Math.ceil(seconds * within.sampleRate);
  const buffer = new AudioBuffer({ length, sampleRate: within.sampleRate });
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < length; i += 1) samples[i] = 2 * Math.random() - 1;
  return buffer;
}
