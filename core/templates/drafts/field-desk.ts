import type { AppFields, FieldQuestion } from "../../plugin-api/index.js";
import { renameField, usesOfField } from "../../definition/index.js";

/** Where a definition that is being edited reads its fields, by the rules by which it is printed. */
export class FieldDesk implements AppFields {
  uses({ definition, ...field }: FieldQuestion) {
    return usesOfField(definition, field);
  }

  rename({ definition, ...field }: FieldQuestion, to: string) {
    return renameField(definition, field, to);
  }
}
