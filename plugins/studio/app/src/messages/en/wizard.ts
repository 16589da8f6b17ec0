export const wizard = {
  couldntLoadTable: "Couldn't load the table",
  button: "The button",
  buttonName: "Button name",
  shownAtTopOfPage: "Shown at the top of the page that the button opens.",
  couldntCreateButton: "Couldn't create the button",
  createButton: "Create button",
  couldntLoadButton: "Couldn't load the button",
  tryIt: "Try it",
  thisButtonIsTurnedOff: "This button is turned off",
  createAnotherOne: "Create another one",
  pasteThisIntoTitle: "Paste this into {{title}}",
  addressForRecordPutRecords:
    "The address for a record: put the record’s id at its end",
  buttonWasTurnedOff: "The button was turned off.",
  thisUrlIsSecret: "This URL is a secret",
  anyoneWhoHasItCan:
    "Anyone who has it can create this document from records of “{{table}}”, and nothing else. Share it only with people who may see the table. It is stored only in the formula.",
  turnOffButton: "Turn off the button",
  turnOffButton2: "Turn off the button?",
  turnItOff: "Turn it off",
  nobodyCanCreateDocumentsWith:
    "Nobody can create documents with it anymore. To get a button again, create another one and paste its formula.",
  inTableTablePressAfter:
    "In the table “{{table}}”, press <b>+</b> after the last field and choose <b>Button</b>.",
  giveItLabelNameAnd:
    "Give it the label “{{name}}”, and choose the action <b>Open URL</b>.",
  pasteThisAsUrlFormula:
    "Paste this as the <b>URL formula</b>, and press <b>Create field</b>.",
  inTableTablePressAfter2:
    "In the table “{{table}}”, press <b>+</b> after the last field and choose <b>Button</b>, with the action <b>Open URL</b>. (In older versions: <b>Formula</b>.)",
  pasteTextForThatKind: "Paste the text for that kind of field, and save it.",
  inSheetTablePressFree:
    "In the sheet “{{table}}”, press a free cell in row 2. Column A has to hold the record’s key; else put its letter in place of A2.",
  pasteThisAndPressEnter: "Paste this, and press Enter.",
  dragCornerOfCellDown: "Drag the corner of the cell down to the last row.",
  putThisAddressWhereverYou:
    "Put this address wherever you can show a link beside a record of “{{table}} ”, and add the record’s id at its end.",
  copyWhere: "Copy: {{where}}",
  pdf: "PDF",
  backToShort: "Back to “{{short}}”",
  somethingYouChoseDoesntMatch:
    "Something you chose doesn't match the table anymore. Check the fields and where the file goes.",
  technicalDetails: "Technical details",
  couldntLoadConnections: "Couldn't load the connections",
  buttonsNeedPremiumOrEnterprise: "Buttons need the premium or enterprise plan",
  yourOrganizationIsOnPlan:
    "Your organization is on the {{plan}} plan. You can try everything here, but you can't create a button.",
  connections: "Connections",
  newConnection: "New connection",
  nothingIsConnectedYet: "Nothing is connected yet",
  ownerOfYourOrganizationCan:
    "An owner of your organization can connect a spreadsheet.",
  failing: "Failing",
  connectToTitle: "Connect to {{title}}",
  whatDoYouWantTo: "What do you want to connect?",
  couldntConnectToTitle: "Couldn't connect to {{title}}",
  fixItAboveThenSelect: "Fix it above, then select Connect again.",
  connect: "Connect",
  openAirtableComCreateTokens:
    "Open <a>airtable.com/create/tokens</a> and press <b>Create new token</b>.",
  addScopesDataRecordsGetInput:
    "Add the scopes <code>data.records:getInput</code>, <code>data.records:write</code> and <code>schema.bases:getInput</code>.",
  underConnectionOptionAddBaseThat:
    "Under <b>ConnectionOption</b>, add the base that holds your records.",
  copyTokenAndPasteIt: "Copy the token, and paste it here.",
  inNocoDBPressYourPicture:
    "In NocoDB, press your picture, then <b>Account settings</b> and <b>Tokens</b>.",
  pressAddNewApiToken:
    "Press <b>Add new API token</b>, and paste it here. It sees what you see.",
  shareSpreadsheetWithServiceAccount:
    "Share the spreadsheet with the service account, or with the user who gives consent, as an editor.",
  firstRowHasToName:
    "The first row has to name the columns, and a column <b>ID</b> has to hold another key in each row.",
  useDatabaseUserOfIts:
    "Use a database user of its own, which may do no more than getInput the tables and write into the columns that take files.",
  couldntLoadFields: "Couldn't load the fields",
  countFieldsToChoose_one: "{{count, number}} field to choose",
  countFieldsToChoose_other: "{{count, number}} fields to choose",
  saveAndContinue: "Save and continue",
  couldntSaveTemplate: "Couldn't save the template",
  readItAgain: "Read it again",
  someTemplateFieldsArentMapped: "Some template fields aren't mapped yet",
  chooseFieldOfYourTable:
    "Choose a field of your table for {{labels}}, or “Leave it empty”.",
  record: "The record",
  filledFromTable: "filled from the table ",
  eachOneFilledFromTable: "each one filled from the table ",
  templateNeedsNoFieldsHere: "The template needs no fields here.",
  id: "Id",
  oneLinkedRecord: "One linked record",
  linkedRecords: "Linked records",
  chooseField: "Choose a field",
  leaveItEmpty: "Leave it empty",
  noMatchingFieldInYour: "No matching field in your table.",
  leftEmptyInDocument: "Left empty in the document.",
  emptyInFirstRecord: "Empty in the first record",
  connectedToTableNameOf:
    "Connected to the table {{name}} of {{connectionName}}",
  continue: "Continue",
  file: "The file",
  chooseFieldThatTakesFile: "Choose the field that takes the file.",
  chooseAtLeastOneKind: "Choose at least one kind of file.",
  whereFileGoes: "Where the file goes",
  inTableName: "In the table {{name}}",
  dontSaveToTable: "Don't save to the table",
  peopleDownloadItFromPage:
    "People download it from the page that the button opens.",
  inAirtableAddFieldOf:
    "In Airtable, add a field of the type Attachment to the table, then check again.",
  inNocoDBAddFieldOf:
    "In NocoDB, add a field of the type Attachment to the table, then check again.",
  inSheetAddColumnCalled:
    "In the sheet, add a column called “PDF” or “Document”, then check again.",
  connectionHasToAllowWriting:
    "The connection has to allow writing (“writable”), and the table needs a column for bytes, or one that the connection names for links.",
  nameHasNoFieldFor: "“{{name}}” has no field for files yet",
  addFieldThatTakesFiles:
    "Add a field that takes files to the table, then check again.",
  checkAgain: "Check again",
  pictureOfFirstPage: "Picture of the first page",
  webPageHtml: "Web page (HTML)",
  kindOfFile: "Kind of file",
  keepThem: "Keep them",
  replaceThem: "Replace them",
  filesThatAreThereAlready: "Files that are there already",
  connectYourSpreadsheet: "Connect your spreadsheet",
  platenReadsYourRecordsThere:
    "Platen reads your records there, and writes finished files back.",
  chooseTable: "Choose the table",
  eachRecordBecomesOneDocument: "Each record becomes one document.",
  template: "Template",
  chooseTemplate: "Choose the template",
  templateDefinesHowDocumentLooks:
    "The template defines how the document looks.",
  fillTemplate: "Fill the template",
  chooseWhichFieldOfYour:
    "Choose which field of your table fills each field of the template.",
  file2: "File",
  chooseWhereFileGoes: "Choose where the file goes",
  finishedDocumentIsSavedTo:
    "The finished document is saved to a field of its record.",
  addButtonToYourTable: "Add the button to your table",
  oneClickInYourSpreadsheet:
    "One click in your spreadsheet then creates the document.",
  tryItWithOneRecord: "Try it with one record",
  thisCreatesRealDocumentJust:
    "This creates a real document, just as the button does.",
  couldntLoadYourBases: "Couldn't load your bases",
  couldntLoadTables: "Couldn't load the tables",
  searchTablesAndFields: "Search tables and fields",
  tables: "Tables",
  noTablesFound: "No tables found",
  giveConnectionAccessToBase:
    "Give the connection access to a base that holds your records.",
  countFields_one: "{{count, number}} field",
  countFields_other: "{{count, number}} fields",
  fieldsOfName: "Fields of {{name}}",
  andMoreMore: "and {{more}} more",
  tickBox: "Tick box",
  choice: "Choice",
  files: "Files",
  formula: "Formula",
  details: "Details",
  other: "Other",
  createOneFromName: "Create one from “{{name}}”",
  fastestWayPageWithAll:
    "The fastest way: a page with all fields of the table and its linked records, filled with the first record. You can change everything later.",
  createTemplateFromTable: "Create a template from the table",
  useOneOfYourTemplates: "Use one of your templates",
  searchTemplatesByName: "Search templates by name",
  templates: "the templates",
  noMatchesForSearch: "No matches for “{{search}}”.",
  maxShownOfTotalSearchFor: "{{maxShown}} of {{total}}. Search for the others.",
  startFromExample: "Start from an example",
  goToBatches: "Go to batches",
  couldntCreateDocument: "Couldn't create the document",
  createDocumentForName: "Create the document for “{{name}}”",
  chooseRecordOfName: "Choose a record of “{{name}}”",
  searchByName: "Search by {{name}}",
  records: "the records",
  tableHasNoRecordsYet: "The table has no records yet.",
  noMatches: "No matches.",
  records2: "Records",
  chooseAnother: "Choose another",
  recordId: "Record ID",
  thisPlatformCantBeSearched:
    "This platform can't be searched. It shows the ID of each record.",
  useThisRecord: "Use this record",
  couldntLoadProgress: "Couldn't load the progress",
  document: "The document",
  documentCreated: "Document created",
  fileSavedToField: "File saved to “{{field}}”",
  waiting: "Waiting",
  field: "the field",
  documentWasCreatedButNot:
    "The document was created but not saved to your table",
  itWorks: "It works",
  documentForNameIsReady: "The document for “{{name}}” is ready.",
  fileIsInFieldField:
    "The file is in the field “{{field}}” of “{{name}}” in “{{name2}}”.",
  openLabelSize: "Open the {{label}}<span>{{size}}</span>",
  goToTemplate: "Go to the template",
  connectSpreadsheet: "Connect a spreadsheet",
  onlyEditorsCanDoThis: "Only editors can do this",
  youHaveReadOnlyAccess:
    "You have read-only access. Ask an owner for the editor role.",
  steps: "Steps",
  stepNumberOfLength: "Step {{number}} of {{length}}",
  emailChanged: "Email, changed {{ago}}",
  documentChanged: "Document, changed {{ago}}",
} as const;
