import {
  type DependencyContainer,
  registerClass,
} from "../../lib/injection.js";
import { DraftService, FieldService, PersonFirstSteps } from "./index.js";
import { DRAFT_SERVICE, FIELD_SERVICE, FIRST_STEPS } from "./tokens.js";

export function registerDrafts(container: DependencyContainer): void {
  registerClass(container, DRAFT_SERVICE, DraftService);
  registerClass(container, FIELD_SERVICE, FieldService);
  registerClass(container, FIRST_STEPS, PersonFirstSteps);
}
