export const en = {
  brand: "Platen",
  tryAgain: "Try again",
  detailsForCreator: "Details for the person who set this up",
  oneMoment: "One moment…",

  confirmTitle: "{{name}}: Create documents",
  createQuestion_one: "Create this document?",
  createQuestion_other: "Create {{count, number}} documents?",
  recordsMissing_one:
    "One record is no longer in the table “{{table}}” and will be skipped.",
  recordsMissing_other:
    "{{count, number}} records are no longer in the table “{{table}}” and will be skipped.",
  template: "Template",
  records_one: "Record",
  records_other: "Records",
  allInView: "All records in the view “{{view}}”",
  allMatching: "All records that match the button's filter",
  allWithoutFile: "All records with no file in “{{field}}”",
  firstRecords_one:
    "There are more records. This creates the document of the first one.",
  firstRecords_other:
    "There are more records. This creates the documents of the first {{count, number}}.",
  openAgain: "Open this page again for the others.",
  othersLater: "You can create the others once these are no longer selected.",
  moreRecords: "and {{count, number}} more",
  youGet: "You get",
  formats_one: "{{formats}}",
  formats_other: "{{formats}} for each record",
  savedIn: "Saved in",
  fieldOfTable: "The field “{{field}}” of “{{table}}”",
  replacesFiles: "This replaces the files in the field.",
  create_one: "Create document",
  create_other: "Create {{count, number}} documents",
  worksUntil: "Works until",
  timeUtc: "{{time}} (UTC)",
  nothingYet: "Nothing is created until you select this button.",
  previewAlt: "First page of the template {{template}}, with sample data",
  previewCaption: "The template with sample data",

  pdf: "a PDF",
  html: "a web page",
  image: "an image",
  mjml: "an email source",
  xml: "an electronic invoice",

  progress: "Progress",
  creating_one: "Creating your document…",
  creating_other: "Creating {{count, number}} documents…",
  saving_one: "Saving your file…",
  saving_other: "Saving your files…",
  ready_one: "Your document is ready",
  ready_other: "Your {{count, number}} documents are ready",
  unsaved_one: "Your document is created, but not saved",
  unsaved_other: "Your {{count, number}} documents are created, but not saved",
  someUnsaved:
    "{{unsaved, number}} of {{total, number}} documents couldn't be saved",
  notCreated_one: "The document couldn't be created",
  notCreated_other: "The documents couldn't be created",
  someReady: "{{ready, number}} of {{total, number}} documents are ready",
  readySoFar:
    "{{ready, number}} of {{total, number}} ready. You can leave this page open or come back later.",
  readyAndFailedSoFar:
    "{{ready, number}} of {{total, number}} ready, {{failed, number}} not created. You can leave this page open or come back later.",
  notSaved_one:
    "The file couldn't be saved to your table. It isn't lost: download it here.",
  notSaved_other:
    "{{count, number}} files couldn't be saved to your table. They aren't lost: download them here.",
  saved_one: "It is saved in the field “{{field}}”. You can close this page.",
  saved_other:
    "They are saved in the field “{{field}}”. You can close this page.",
  download_one: "Download it here.",
  download_other: "Download them here.",
  nothingSaved: "Nothing was saved to your table.",
  opensInNewTab: "(opens in a new tab)",
  saveAgain: "Try saving again",
  notListed_one: "{{count, number}} more isn't listed here.",
  notListed_other: "{{count, number}} more aren't listed here.",
  filesUntil: "You can download the files here until {{time}} (UTC).",

  documentWaiting: "Waiting",
  documentRendering: "Creating…",
  documentReady: "Ready",
  documentSaving: "Saving to “{{field}}”…",
  documentSaved: "Saved in “{{field}}”",
  documentNotSaved: "Created, but not saved in “{{field}}”.",
  documentExpired: "Not created: it took too long.",
  documentFailed:
    "Not created: something in the record doesn't fit the template.",

  linkUnusable: "This link can't be used",
  revokedWhy: "It was revoked by its owner.",
  deletedWhy: "It no longer exists.",
  incompleteWhy:
    "It is incomplete or belongs to another service. Copy it again from where it was created.",
  linkExpired: "This link has expired",
  expiredWhy: "It was valid until a time set by its owner.",
  startAgain: "Please start again",
  filesGone: "The files are no longer available",
  requestId: "Request ID: {{id}}",
  askOwner: "Ask the person who set this up for you.",
  paused: "This button is paused",
  pausedWhy: "Its owner has turned it off for now. Nothing was created.",
  nothingToCreate: "Nothing to create right now",
  noneInView: "There are no records in the view “{{view}}”.",
  noneMatching: "No record of “{{table}}” matches the button's filter.",
  noneWithoutFile:
    "Every record of “{{table}}” has a file in “{{field}}”, or is getting one now.",
  noneLeft:
    "The records have changed, or somebody else has already created these documents. Nothing was created.",
  noRecord: "No record selected",
  noRecordHelp:
    "This link creates documents from records in your table. Open it with the button or formula of a record.",
  recordNotFound: "Record not found",
  recordNotFoundWhy:
    "It was deleted, or the link belongs to another table. Nothing was created.",
  recordNotFoundHelp: "Go back to your table and use the button of a record.",
  tooManyRecords: "Too many records",
  tooManyRecordsHelp: "Select fewer records, then repeat this for the others.",
  removed: "This page is no longer available",
  removedWhy: "The template, connection or page behind this link was removed.",
  outdated: "This link needs an update",
  outdatedWhy:
    "The template, the table or the link has changed since the link was created. Nothing was created.",
  busy: "Too many requests right now",
  waitAMinute: "Nothing was created. Wait a minute, then try again.",
  unexpected: "Something went wrong",
  unexpectedHelp: "It isn't your fault. Try again in a minute.",
  accessDenied: "Platen can't access your table",
  quotaUsedUp: "The table's quota is used up",
  quotaUsedUpWhy:
    "The platform accepts no more requests until its quota is renewed or raised.",
  accessDeniedWhy:
    "Its access was removed, or the password has changed. Nothing was created.",
  notResponding: "Your table isn't responding",
  tableChanged: "Your table has changed",
  tableChangedWhy:
    "A table or field that this link needs was renamed or deleted. Nothing was created.",
} as const;
