export const wizard = {
  buttonName: "Button name",
  shownAtTopOfPage: "Shown at the top of the page that the button opens.",
  buttonRecordsHelp:
    "The button shows how many documents it will create, and asks first.",
  recordOfItsRow: "The record whose button is clicked",
  allWithoutFile: "All records without a file in “{{field}}”",
  allInView: "All records in the view “{{view}}”",
  allMatchingFilter: "All records that match a filter",
  filterHelp: "Enter the value exactly as it appears in “{{table}}”.",
  isOn: "is on",
  isOnOrAfter: "is on or after",
  isOnOrBefore: "is on or before",
  isChecked: "is checked",
  isNotChecked: "is not checked",
  openThisPage: "Open this page from “{{table}}”",
  openThisPageHelp:
    "It creates the documents of all its records at once, up to 1,000 at a time. Save it as a bookmark, or add it as a link or button next to the table, for example in an interface or a dashboard.",
  urlOfButton: "URL of the button",
  couldntCreateButton: "Couldn't create the button",
  createButton: "Create button",
  couldntLoadButton: "Couldn't load the button",
  thisButtonIsTurnedOff: "This button is turned off",
  createAnotherOne: "Create another button",
  pasteThisIntoTitle: "Paste this into {{title}}",
  urlForRecords:
    "URL. Add a record's ID at the end, or several separated by commas",
  buttonWasTurnedOff: "The button was turned off.",
  thisUrlIsSecret: "This URL is a secret",
  urlSecretHelp:
    "Anyone with this URL can create this document from records in “{{table}}”, and nothing else. Share it only with people who can see the table. It is stored only in the formula.",
  urlOfManySecretHelp:
    "Anyone with this URL can create the documents of these records, and nothing else. Share it only with people who can see “{{table}}”.",
  turnOffButton: "Turn off the button",
  turnOffButtonQuestion: "Turn off the button?",
  turnItOff: "Turn off",
  turnOffWarning:
    "Nobody will be able to create documents with it. To bring it back, create another button and paste its formula.",
  airtableAddField:
    "In the table “{{table}}”, click <b>+</b> after the last field and choose <b>Button</b>.",
  giveItLabelNameAnd:
    "Label it “{{name}}” and choose the action <b>Open URL</b>.",
  pasteThisAsUrlFormula:
    "Paste this as the <b>URL formula</b> and click <b>Create field</b>.",
  nocodbAddField:
    "In the table “{{table}}”, click <b>+</b> after the last field and choose <b>Button</b> with the action <b>Open URL</b>. (In older versions: <b>Formula</b>.)",
  pasteTextForThatKind:
    "Paste the text for the field type you chose, then save the field.",
  directusAddField:
    "In the data model of “{{table}}”, create a field of the type <b>Buttons</b>.",
  directusAddLink:
    "Add a link labeled “{{name}}”, paste this as its <b>URL</b>, and save the field.",
  directusKey:
    "If the primary key isn't called <code>id</code>, put its name between the braces.",
  sheetChooseCell:
    "In the sheet “{{table}}”, click an empty cell in row 2. If the record's key isn't in column A, change A2 in the formula.",
  pasteThisAndPressEnter: "Paste this and press Enter.",
  dragCornerOfCellDown: "Drag the corner of the cell down to the last row.",
  addLinkToRecords:
    "Add this URL as a link next to each record in “{{table}}”, with the record's ID at the end.",
  copyWhere: "Copy: {{where}}",
  pdf: "PDF",
  backToShort: "Back to “{{short}}”",
  tableChanged:
    "The table has changed and no longer matches your choices. Check the fields and where the file goes.",
  technicalDetails: "Technical details",
  planNeeded: "Buttons need the premium or enterprise plan",
  planNeededHelp:
    "Your organization is on the {{plan}} plan. You can try everything here, but you can't create a button.",
  askOwnerToConnect:
    "Ask an owner of your organization to connect a spreadsheet.",
  whatDoYouWantTo: "What do you want to connect?",
  couldntConnectToTitle: "Couldn't connect to {{title}}",
  fixAndConnect: "Fix the problem above, then select Connect again.",
  connect: "Connect",
  airtableOpenTokens:
    "Open <a>airtable.com/create/tokens</a> and click <b>Create new token</b>.",
  airtableAddScopes:
    "Add the scopes <code>data.records:read</code>, <code>data.records:write</code> and <code>schema.bases:read</code>.",
  airtableAddBase: "Under <b>Access</b>, add the base with your records.",
  copyTokenAndPasteIt: "Copy the token and paste it here.",
  nocodbOpenTokens:
    "In NocoDB, click your profile picture, then <b>Account settings</b> and <b>Tokens</b>.",
  nocodbAddToken:
    "Click <b>Add new API token</b> and paste the token here. It has the same access as you.",
  directusOpenUser:
    "In Directus, open the <b>User Directory</b> and a user whose policy can read your collections, update items and create files.",
  directusAddToken:
    "At <b>Token</b>, click the plus, copy the token, save the user, and paste the token here.",
  sheetsShare:
    "Share the spreadsheet, as an editor, with the service account or the user who gives consent.",
  sheetsColumns:
    "The first row must contain the column names, and a column named <b>ID</b> must have a different value in each row.",
  sqlUser:
    "Use a separate database user that can only read the tables and write to the columns that store files.",
  couldntLoadFields: "Couldn't load the fields",
  countFieldsToChoose_one: "{{count, number}} field to choose",
  countFieldsToChoose_other: "{{count, number}} fields to choose",
  saveAndContinue: "Save and continue",
  couldntSaveTemplate: "Couldn't save the template",
  readItAgain: "Reload",
  fieldsNotMapped: "Some template fields aren't mapped yet",
  fieldsNotMappedHelp:
    "Choose a field from your table for {{labels}}, or choose “Leave it empty”.",
  record: "The record",
  filledFrom: "Filled from the table <b>{{table}}</b>",
  eachFilledFrom: "Each filled from the table <b>{{table}}</b>",
  noTemplateFields: "This template has no fields to fill.",
  oneLinkedRecord: "One linked record",
  linkedRecords: "Linked records",
  leaveItEmpty: "Leave it empty",
  noMatchingFieldInYour: "No matching field in your table.",
  leftEmptyInDocument: "Left empty in the document.",
  emptyInFirstRecord: "Empty in the first record",
  versionNote: "Connected to the table {{name}} in {{connectionName}}",
  continue: "Continue",
  chooseFieldThatTakesFile: "Choose the field for the file.",
  chooseAtLeastOneKind: "Choose at least one file format.",
  whereFileGoes: "Where the file goes",
  storesFile: "{{native}}: stores the file",
  storesLink: "{{native}}: stores a link to the file",
  storesExpiringLink: "{{native}}: stores a link that expires",
  attachment: "Attachment",
  linkStays: "The link doesn't expire",
  linkStaysHelp:
    "The file is stored in your account, and “{{name}}” gets a link to it.",
  linkExpires_one: "The link expires after {{count, number}} hour",
  linkExpires_other: "The link expires after {{count, number}} hours",
  linkExpiresHelp:
    "After that, the file can't be opened from “{{name}}”. To keep it in the table, choose a column that stores the file itself.",
  dontSaveToTable: "Don't save to the table",
  dontSaveHelp: "People download it from the page that the button opens.",
  airtableAddFileField:
    "In Airtable, add a field of the type Attachment to the table, then check again.",
  nocodbAddFileField:
    "In NocoDB, add a field of the type Attachment to the table, then check again.",
  directusAddFileField:
    "In Directus, add a field of the type Files or File to the collection, or give the token's user the right to update items and create files. Then check again.",
  sheetsAddFileColumn:
    "In the sheet, add a column called “PDF” or “Document”, then check again.",
  sqlAddFileColumn:
    "The connection must allow writing (“writable”), and the table needs a column for binary data or a link column named in the connection's settings.",
  noFileField: "“{{name}}” has no field for files yet",
  addFileField: "Add a file field to the table, then check again.",
  checkAgain: "Check again",
  imageOfFirstPage: "Image of the first page",
  webPageHtml: "Web page (HTML)",
  kindOfFile: "File format",
  keepThem: "Keep",
  replaceThem: "Replace",
  filesThatAreThereAlready: "Existing files",
  connectYourSpreadsheet: "Connect your spreadsheet",
  connectLead:
    "Platen reads your records from it and saves finished files to it.",
  chooseTable: "Choose the table",
  tableLead: "Each record becomes one document.",
  chooseTemplate: "Choose the template",
  templateLead: "The template defines how the document looks.",
  fillTemplate: "Fill the template",
  fieldsLead: "For each template field, choose a field from your table.",
  chooseWhereFileGoes: "Choose where the file goes",
  fileLead: "The finished document is saved to a field of its record.",
  addButtonToYourTable: "Add the button to your table",
  buttonLead: "One click in your spreadsheet creates the document.",
  tryItWithOneRecord: "Try it with one record",
  tryLead: "This creates a real document, just like the button.",
  couldntLoadYourBases: "Couldn't load your bases",
  searchTablesAndFields: "Search tables and fields",
  tables: "Tables",
  noTablesFound: "No tables found",
  noTablesHelp: "Give the connection access to a base with your records.",
  countFields_one: "{{count, number}} field",
  countFields_other: "{{count, number}} fields",
  fieldsOfName: "Fields of {{name}}",
  andMoreMore: "and {{more}} more",
  files: "Files",
  other: "Other",
  createOneFromName: "Create one from “{{name}}”",
  fromTableHelp:
    "The fastest way to start: a page with all fields of the table and its linked records, showing your first record. You can change everything later.",
  createTemplateFromTable: "Create a template from the table",
  useOneOfYourTemplates: "Use one of your templates",
  searchTemplatesByName: "Search templates by name",
  noMatchesForSearch: "No matches for “{{search}}”.",
  shownOfTotal:
    "Showing {{maxShown, number}} of {{total, number}}. Search to find the others.",
  startFromExample: "Start from an example",
  goToBatches: "Go to batches",
  createDocumentForName: "Create the document for “{{name}}”",
  chooseRecordOfName: "Choose a record of “{{name}}”",
  searchByName: "Search by {{name}}",
  couldntLoadRecords: "Couldn't load the records",
  tableHasNoRecordsYet: "The table has no records yet.",
  chooseAnother: "Choose another",
  recordId: "Record ID",
  recordIdHelp:
    "This platform can't be searched. Copy the ID of the record from it.",
  couldntLoadProgress: "Couldn't load the progress",
  fileSavedToField: "File saved to “{{field}}”",
  notSavedToTable: "The document was created but not saved to your table",
  itWorks: "It works",
  documentReady: "The document for “{{name}}” is ready.",
  fileInField:
    "The file is in the field “{{field}}” of “{{name}}” in “{{name2}}”.",
  openLabelSize: "Open the {{label}}<span>{{size}}</span>",
  goToTemplate: "Go to the template",
  onlyEditorsCanDoThis: "Only editors can do this",
  youHaveReadOnlyAccess:
    "You have read-only access. Ask an owner for the editor role.",
  steps: "Steps",
  stepNumberOfLength: "Step {{number}} of {{length}}",
  emailChanged: "Email, changed {{ago}}",
  documentChanged: "Document, changed {{ago}}",
  fieldWithType: "{{name}} ({{type}})",
} as const;
