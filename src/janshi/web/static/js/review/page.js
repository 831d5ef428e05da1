/**
 * The page of reviews: uploads and the list, or the review of the address.
 * @module
 */
import { ReviewList } from "./list.js";
import { ServerSource } from "./source.js";
import { ReviewView } from "./view.js";

/** @type {import("../types.js").PageModule["mount"]} */
export async function mount(root, params, app) {
  if (!params.id) {
    const list = new ReviewList(root, app);
    await list.start();
    return { unmount: () => list.stop() };
  }
  const view = new ReviewView(root, new ServerSource(params.id), app, params.query.get("at"));
  await view.start();
  return { unmount: () => view.stop() };
}
