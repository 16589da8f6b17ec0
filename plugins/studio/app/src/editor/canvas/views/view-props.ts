import type {
  ComponentOf,
  ComponentType,
} from "../../../../../../../core/plugin-api/definition.js";
import type { Place } from "../place.js";

/** What draws a component is given. */
export interface ViewProps<T extends ComponentType> {
  component: ComponentOf<T>;
  place: Place;
}
