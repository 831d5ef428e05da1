/**
 * One picture of a score card, to share: drawn here, with nothing from elsewhere, and saved as a PNG.
 * @module
 */
import { actionWords } from "../agent_words.js";
import { dialog, h, s } from "../dom.js";
import { bodyShapes, faceShapes } from "../faces.js";
import { t } from "../i18n.js";
import { figures, kindName, lostWords, strokeWords, strokes } from "./card.js";
import { gameName, handName, playerName } from "./words.js";

/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./types.js").Luck} Luck */

const WIDTH = 1200;
const HEIGHT = 630;
const EDGE = 60;
const COLUMNS = 3;
const FONT =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Hiragino Sans", "Yu Gothic UI", Meiryo, ' +
  '"PingFang SC", "Microsoft YaHei", "Noto Sans CJK JP", "Noto Sans CJK SC", sans-serif';
const INK = { paper: "#f6f3ec", card: "#fffdf8", line: "#d8d1c2", ink: "#1f2421", soft: "#5c635d", accent: "#13695a" };
const TONE = { good: "#1c7c3c", bad: "#b3261e" };
/** @type {Record<string, Record<string, string>>} */
const SHAPES = {
  face: { fill: "#fdfaf0", stroke: "#b9ac8c", "stroke-width": "0.9" },
  side: { fill: "#d9c9a0", stroke: "#b9ac8c", "stroke-width": "0.9" },
  dark: { fill: "#1d2430" },
  red: { fill: "#c8201f" },
  green: { fill: "#12703e" },
  blue: { fill: "#1f4f9c" },
  paper: { fill: "#fdfaf0" },
  blush: { fill: "#f6c5bb", opacity: "0.55" },
};

/**
 * Shows the picture of a player's score card, to be saved.
 * @param {Review} review
 * @param {number} seat
 * @param {Luck | null} luck
 */
export async function sharePicture(review, seat, luck) {
  const drawing = picture(review, seat, luck);
  const address = await asPng(drawing);
  const name = `janshi-${review.name.replace(/[^A-Za-z0-9._-]+/g, "_").slice(0, 40)}-${seat + 1}.png`;
  dialog(
    t("card.picture"),
    t("shell.close"),
    h(
      "div",
      { class: "stack rv-shared" },
      h("img", { src: address, alt: t("card.of", { name: playerName(review, seat) }), width: WIDTH, height: HEIGHT }),
      h("a", { class: "button primary", href: address, download: name }, t("card.save")),
    ),
  );
}

/**
 * The drawing as a PNG, as a data address.
 * @param {SVGElement} drawing
 * @returns {Promise<string>}
 */
async function asPng(drawing) {
  const image = new Image(WIDTH, HEIGHT);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(drawing))}`;
  await image.decode();
  const canvas = h("canvas", { width: WIDTH, height: HEIGHT });
  canvas.getContext("2d")?.drawImage(image, 0, 0, WIDTH, HEIGHT);
  return canvas.toDataURL("image/png");
}

/**
 * @param {Review} review
 * @param {number} seat
 * @param {Luck | null} luck
 */
export function picture(review, seat, luck) {
  const shown = figures(review, seat, luck)
    .filter((figure) => !figure.waiting)
    .slice(0, 2 * COLUMNS);
  const wide = (WIDTH - 2 * EDGE - 20 * (COLUMNS - 1)) / COLUMNS;
  return s(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", width: WIDTH, height: HEIGHT, viewBox: `0 0 ${WIDTH} ${HEIGHT}` },
    s("rect", { width: WIDTH, height: HEIGHT, fill: INK.paper }),
    s("rect", { width: WIDTH, height: 10, fill: INK.accent }),
    text(short(playerName(review, seat), 28), EDGE, 82, 44, INK.ink, 700),
    text(subtitle(review), EDGE, 122, 22, INK.soft),
    shown.flatMap((figure, i) => {
      const x = EDGE + (i % COLUMNS) * (wide + 20);
      const y = 152 + Math.floor(i / COLUMNS) * 140;
      return [
        s("rect", { x, y, width: wide, height: 124, rx: 14, fill: INK.card, stroke: INK.line }),
        text(figure.name, x + 20, y + 34, 20, INK.soft, 600),
        text(figure.value, x + 20, y + 80, 42, INK.ink, 700),
        text(short(figure.better || figure.note, 37), x + 20, y + 108, 16, figure.better ? INK.accent : INK.soft),
      ];
    }),
    ...turns(review, seat, luck, 152 + Math.ceil(shown.length / COLUMNS) * 140 + 30),
    text(t("card.made"), WIDTH - EDGE, HEIGHT - 24, 18, INK.soft, 400, "end"),
  );
}

/** @param {Review} review */
function subtitle(review) {
  const date = new Date(review.created * 1000).toISOString().slice(0, 10);
  return [t("rv.by", { agent: review.agent.split(":")[0] ?? "" }), short(gameName(review), 48), date].join(" · ");
}

/**
 * The turning points, in two columns.
 * @param {Review} review
 * @param {number} seat
 * @param {Luck | null} luck
 * @param {number} top
 */
function turns(review, seat, luck, top) {
  const half = WIDTH / 2;
  const mistakes = review.cards[String(seat)]?.turning_points ?? [];
  const lost = mistakes.flatMap((number, i) => {
    const row = review.rows[number];
    if (!row) return [];
    const cost = review.plans.find((plan) => plan.worst === number)?.cost ?? row.loss ?? 0;
    const y = top + 30 + 44 * i;
    const [played, best] = [tileOf(row.played), tileOf(row.best)];
    return [
      text(lostWords(cost, review.unit), EDGE, y + 26, 24, TONE.bad, 700),
      ...(played && best
        ? [face(played, EDGE + 110, y), text("→", EDGE + 142, y + 26, 22, INK.soft), face(best, EDGE + 172, y)]
        : [text(short(`${actionWords(row.played)} → ${actionWords(row.best)}`, 15), EDGE + 110, y + 25, 14)]),
      text(short(`${handName(review, row.hand)} · ${t("rv.turn", { n: row.turn })}`, 34), EDGE + 216, y + 26, 18),
    ];
  });
  const places = Boolean(luck?.adjusted_ranks);
  const lucky = luck?.available
    ? strokes(luck, seat).flatMap((event, i) => {
        const amount = event[places ? 5 : 6][seat] ?? 0;
        const y = top + 30 + 44 * i;
        const words = `${kindName(luck, event)} · ${handName(review, event[0])}`;
        return [
          text(strokeWords(luck, event, seat), half, y + 26, 24, amount > 0 ? TONE.good : TONE.bad, 700),
          event[3] ? face(event[3], half + 110, y) : null,
          text(short(words, 40), half + 152, y + 26, 18),
        ];
      })
    : [];
  return [
    lost.length ? text(t("card.turning.loss"), EDGE, top + 14, 20, INK.soft, 600) : null,
    lost,
    lucky.length ? text(t("card.turning.luck"), half, top + 14, 20, INK.soft, 600) : null,
    lucky,
  ].flat();
}

/**
 * The tile that a discard names.
 * @param {string} name
 */
function tileOf(name) {
  return /^(?:discard|tsumogiri) ([0-9][mpsz])$/.exec(name)?.[1] ?? null;
}

/**
 * A small tile.
 * @param {string} name
 * @param {number} x
 * @param {number} y
 */
function face(name, x, y) {
  return s(
    "g",
    { transform: `translate(${x} ${y}) scale(0.45)` },
    [...bodyShapes(), ...faceShapes(name)].map(({ ink, d, at }) =>
      s("path", {
        d,
        transform: at ?? null,
        "fill-rule": rule(ink),
        ...(SHAPES[ink.split(" ")[0] ?? ""] ?? SHAPES.dark),
      }),
    ),
  );
}

/** @param {string} ink */
function rule(ink) {
  return ink.includes("ink-stroke") ? "nonzero" : "evenodd";
}

/**
 * @param {string} words
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} [fill]
 * @param {number} [weight]
 * @param {string} [anchor]
 */
function text(words, x, y, size, fill = INK.ink, weight = 400, anchor = "start") {
  return s(
    "text",
    { x, y, fill, "font-family": FONT, "font-size": size, "font-weight": weight, "text-anchor": anchor },
    words,
  );
}

/**
 * A text that fits: wide characters count twice.
 * @param {string} words
 * @param {number} most
 */
function short(words, most) {
  let wide = 0;
  for (const [i, letter] of [...words].entries()) {
    wide += letter > "\u2e7f" ? 2 : 1;
    if (wide > most) return `${[...words].slice(0, Math.max(1, i - 1)).join("")}…`;
  }
  return words;
}
