import type { ComponentType } from "../../../../../../../core/plugin-api/definition.js";
import { boxControls } from "./box-controls.js";
import type { ContentControl, ContentControls } from "./content-control.js";
import { figureControls } from "./figure-controls.js";
import { pageControls } from "./page-controls.js";
import { textControls } from "./text-controls.js";

/** The properties that each type has for itself; what holds other components is arranged on the page. */
const contentControls: ContentControls<ComponentType> = {
  ...textControls,
  ...boxControls,
  ...figureControls,
  ...pageControls,
};

export function controlsOf(type: ComponentType): readonly ContentControl[] {
  return contentControls[type];
}
