/**
 * A button that asks for the chances after each choice, where the reviewer does not say them.
 * @module
 */
import { fill, h } from "../dom.js";
import { traitsOf } from "../families.js";
import { t } from "../i18n.js";

/**
 * @param {import("./types.js").Decision} decision
 * @param {import("./types.js").Source} source
 * @param {import("../types.js").App} app
 * @param {() => void} done
 */
export function chancesElements(decision, source, app, done) {
  const known = decision.choices.some((one) => "win" in one.numbers);
  if (known || !source.chances || !traitsOf(decision.position.rules.family).chances) return [];
  const load = async () => {
    button.disabled = true;
    fill(button, t("rv.chances.running"));
    try {
      const found = (await source.chances?.(decision.number)) ?? {};
      for (const choice of decision.choices) Object.assign(choice.numbers, found[String(choice.action)] ?? {});
    } catch (problem) {
      app.toast(problem instanceof Error ? problem.message : String(problem), "error");
    }
    done();
  };
  const button = h("button", { type: "button", class: "rv-chances", onclick: () => void load() }, t("rv.chances"));
  return [button];
}
