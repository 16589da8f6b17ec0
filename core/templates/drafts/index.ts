// Templates while they are edited. A draft is shared by all who edit the template: each save names the revision that it
// replaces, so one of two concurrent saves wins and the other gets a conflict. The published definition stays as it is
// until the draft is published, which edits the template and ends the draft in one transaction.
export { DraftService, FieldService, SHIPPED_FONTS } from "./draft-service.js";
export { PersonFirstSteps } from "./first-steps.js";
