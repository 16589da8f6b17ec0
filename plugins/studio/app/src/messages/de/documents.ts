import type { Translation } from "../../../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const documents = {
  notSaved: "Not saved",
  lead: "All generated documents, newest first. This list updates automatically.",
  filterDocuments: "Filter documents",
  showDocumentsOfAllTemplates: "Show documents of all templates",
  noDocumentsYet: "No documents yet",
  noMatchingDocuments: "No matching documents",
  noDocumentsHelp:
    "Open a template to create one. Documents created through the API appear here too.",
  tryAnotherFilter: "Try another filter.",
  filesDeleted: "Files deleted",
  agoByName: "{{ago}} by {{name}}",
  templateAgoByName: "{{template}}, {{ago}} by {{name}}",
} as const satisfies Translation<typeof en.documents, "de">;

export const batches = {
  couldntLoadBatch: "Couldn't load the batch",
  batchNotFound: "Batch not found.",
  batchOfName: "Batch of {{name}}",
  summary_one: "{{count, number}} document, {{ago}} by {{createdBy}}",
  summary_other: "{{count, number}} documents, {{ago}} by {{createdBy}}",
  progress: "Progress",
  retryOf: "Retry of the failed documents in <link>another batch</link>.",
  retryStarted: "Started a new batch for these documents.",
  cancelBatch: "Cancel batch",
  retryFailedDocuments: "Retry failed documents",
  retryExpiredDocuments: "Retry expired documents",
  downloadAll: "Download all",
  cancelThisBatch: "Cancel this batch?",
  keepRunning: "Keep running",
  cancelWarning_one:
    "{{count, number}} queued document won't be created. Documents that are being rendered will finish, and finished documents are kept.",
  cancelWarning_other:
    "{{count, number}} queued documents won't be created. Documents that are being rendered will finish, and finished documents are kept.",
  retryingFailedFiles: "Retrying the failed files.",
  retryFailedFiles: "Retry failed files",
  documentsOfBatch: "Documents of the batch",
  couldntLoadDocuments: "Couldn't load the documents",
  lead: "Each batch creates one document per record. This list updates automatically.",
  couldntLoadBatches: "Couldn't load the batches",
  noBatchesYet: "No batches yet",
  noBatchesHelp:
    "Start batches from the API or a spreadsheet button. Their progress and errors appear here.",
  failedFailed: "{{failed}} failed",
  canceling: "Canceling",
  canceled: "Canceled",
  finishedDocuments: "Finished documents",
  endedOfTotalCount: "{{ended, number}} of {{totalCount, number}}",
  filesSaved: "Files saved to the table: {{succeeded, number}}",
  filesPending: "{{pending, number}} pending",
  filesFailed: "{{failed, number}} failed",
  savingFiles: "Saving",
  filesNotSaved_one: "{{count, number}} file not saved",
  filesNotSaved_other: "{{count, number}} files not saved",
} as const satisfies Translation<typeof en.batches, "de">;

export const usage = {
  lead: "Documents created per day. Tests and failures aren't counted. Days are in UTC.",
  previousMonth: "Previous month",
  nextMonth: "Next month",
  couldntLoadUsage: "Couldn't load the usage",
  noDocumentsThisMonth: "No documents this month",
  documentsAppearHere:
    "Documents that you create appear here. Tests aren't counted.",
  byDay: "By day",
  countDocuments_one: "{{count, number}} document",
  countDocuments_other: "{{count, number}} documents",
  chartOfMonth: "Chart of the month",
  asTable: "As a table",
  day: "Day",
} as const satisfies Translation<typeof en.usage, "de">;
