import {
  type DependencyContainer,
  registerClass,
} from "../../lib/injection.js";
import { DraftService, FieldService } from "./index.js";
import { DRAFT_SERVICE, FIELD_SERVICE } from "./tokens.js";

export function registerDrafts(container: DependencyContainer): void {
  registerClass(container, DRAFT_SERVICE, DraftService);
  registerClass(container, FIELD_SERVICE, FieldService);
}
