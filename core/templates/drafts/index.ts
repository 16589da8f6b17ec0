// Templates while they are designed. A draft is shared by all who edit the template: each save names the revision that
// it follows, so that of two at once one wins and the other is told. What is published stays as it is until a draft is
// published, which is the document room's edit and the draft's end in one transaction.
export { DraftDesk, type DraftDeskParts, FieldDesk } from "./draft-service.js";
