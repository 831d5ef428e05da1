// What tests of accessibility run in a page (access.py).
({
  /** Controls that screen readers have no name for. */
  nameless: () => {
    const visible = (e) =>
      e.checkVisibility({ checkOpacity: false, checkVisibilityCSS: true }) && e.getClientRects().length > 0;
    const words = (e) => {
      if (!e) return "";
      if (e.getAttribute("aria-label")) return e.getAttribute("aria-label");
      const by = e.getAttribute("aria-labelledby");
      if (by)
        return by
          .split(/\s+/)
          .map((id) => document.getElementById(id)?.textContent ?? "")
          .join(" ");
      if (e.tagName === "IMG" && e.alt) return e.alt;
      let text = [...(e.labels ?? [])].map((l) => l.textContent).join(" ");
      if (e.tagName !== "SELECT")
        for (const child of e.childNodes) {
          if (child.nodeType === 3) text += child.textContent;
          else if (child.nodeType === 1 && child.getAttribute("aria-hidden") !== "true") text += " " + words(child);
        }
      return text.trim() || e.getAttribute("title") || "";
    };
    const all = document.querySelectorAll(
      "button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button], [role=img], " +
        "[role=group][tabindex], [tabindex='0']",
    );
    return [...all].filter((e) => visible(e) && !words(e).trim()).map((e) => e.outerHTML.slice(0, 160));
  },

  /** Texts whose contrast to what lies behind them is below WCAG's AA. */
  pale: () => {
    const parse = (text) => {
      const p = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
      p.clearRect(0, 0, 1, 1);
      p.fillStyle = "#000";
      p.fillStyle = text;
      p.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = p.getImageData(0, 0, 1, 1).data;
      return [r, g, b, a / 255];
    };
    const known = new Map();
    const colour = (text) => {
      if (!known.has(text)) known.set(text, parse(text));
      return known.get(text);
    };
    const over = (top, low) => [0, 1, 2].map((i) => top[i] * top[3] + low[i] * (1 - top[3])).concat(1);
    const light = (c) => {
      const [r, g, b] = c
        .slice(0, 3)
        .map((v) => v / 255)
        .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (e) => {
      const layers = [];
      for (let up = e; up; up = up.parentElement) {
        const style = getComputedStyle(up);
        if (style.backgroundImage !== "none") return null;
        layers.push(colour(style.backgroundColor));
        if (layers.at(-1)[3] === 1) break;
      }
      return layers.reverse().reduce((low, top) => over(top, low), [255, 255, 255, 1]);
    };
    const found = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const e = walk.currentNode.parentElement;
      if (
        !walk.currentNode.textContent.trim() ||
        !e ||
        e.closest("svg, [aria-disabled=true], :disabled, .visually-hidden, noscript, script, style, .skip")
      )
        continue;
      if (!e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) || !e.getClientRects().length) continue;
      const style = getComputedStyle(e);
      const ground = behind(e);
      if (!ground) continue;
      let ink = over(colour(style.color), ground);
      let opacity = 1;
      for (let up = e; up; up = up.parentElement) opacity *= Number(getComputedStyle(up).opacity);
      ink = over([...ink.slice(0, 3), opacity], ground);
      const [a, b] = [light(ink), light(ground)];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      const size = parseFloat(style.fontSize);
      const wanted = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
      if (ratio < wanted - 0.01)
        found.push(
          `${ratio.toFixed(2)}: ${walk.currentNode.textContent.trim().slice(0, 40)}` +
            ` <${e.tagName.toLowerCase()} class="${e.className}">`,
        );
    }
    return found;
  },

  focus: () => {
    const e = document.activeElement;
    if (!e || e === document.body) return null;
    const box = e.getBoundingClientRect();
    const style = getComputedStyle(e);
    e.dataset.seen = "yes";
    return {
      what: e.outerHTML.slice(0, 120),
      width: box.width,
      height: box.height,
      outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0,
    };
  },
});
