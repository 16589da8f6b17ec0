import type { Translation } from "../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const wizard = {
  buttonName: "Nombre del botón",
  shownAtTopOfPage: "Se ve arriba en la página que abre el botón.",
  buttonRecordsHelp:
    "El botón muestra cuántos documentos va a crear y pregunta antes.",
  recordOfItsRow: "El registro cuyo botón se pulsa",
  allWithoutFile: "Todos los registros sin archivo en «{{field}}»",
  allInView: "Todos los registros de la vista «{{view}}»",
  allMatchingFilter: "Todos los registros que cumplen un filtro",
  filterHelp: "Introduzca el valor exactamente como aparece en «{{table}}».",
  isOn: "es el",
  isOnOrAfter: "es el día o posterior a",
  isOnOrBefore: "es el día o anterior a",
  isChecked: "está marcado",
  isNotChecked: "no está marcado",
  openThisPage: "Abra esta página desde «{{table}}»",
  openThisPageHelp:
    "Crea de una vez los documentos de todos sus registros, hasta 1000 cada vez. Guárdela como marcador o añádala como enlace o botón junto a la tabla, por ejemplo en una interfaz o un panel.",
  urlOfButton: "URL del botón",
  couldntCreateButton: "No se pudo crear el botón",
  createButton: "Crear botón",
  couldntLoadButton: "No se pudo cargar el botón",
  thisButtonIsTurnedOff: "Este botón está desactivado",
  createAnotherOne: "Crear otro botón",
  pasteThisIntoTitle: "Pegue esto en {{title}}",
  urlForRecords:
    "URL. Añada al final el ID de un registro, o varios separados por comas",
  buttonWasTurnedOff: "El botón se desactivó.",
  thisUrlIsSecret: "Esta URL es secreta",
  urlSecretHelp:
    "Cualquiera que tenga esta URL puede crear este documento con registros de «{{table}}», y nada más. Compártala solo con quienes pueden ver la tabla. Solo se guarda en la fórmula.",
  urlOfManySecretHelp:
    "Cualquiera que tenga esta URL puede crear los documentos de estos registros, y nada más. Compártala solo con quienes pueden ver «{{table}}».",
  turnOffButton: "Desactivar el botón",
  turnOffButtonQuestion: "¿Desactivar el botón?",
  turnItOff: "Desactivar",
  turnOffWarning:
    "Nadie podrá crear documentos con él. Para recuperarlo, cree otro botón y pegue su fórmula.",
  airtableAddField:
    "En la tabla «{{table}}», haga clic en <b>+</b> después del último campo y elija <b>Button</b>.",
  giveItLabelNameAnd:
    "Póngale la etiqueta «{{name}}» y elija la acción <b>Open URL</b>.",
  pasteThisAsUrlFormula:
    "Pegue esto como <b>URL formula</b> y haga clic en <b>Create field</b>.",
  nocodbAddField:
    "En la tabla «{{table}}», haga clic en <b>+</b> después del último campo y elija <b>Button</b> con la acción <b>Open URL</b>. (En versiones anteriores: <b>Formula</b>.)",
  pasteTextForThatKind:
    "Pegue el texto para el tipo de campo que eligió y guarde el campo.",
  directusAddField:
    "En el modelo de datos de «{{table}}», cree un campo del tipo <b>Buttons</b>.",
  directusAddLink:
    "Añada un enlace con la etiqueta «{{name}}», pegue esto como <b>URL</b> y guarde el campo.",
  directusKey:
    "Si la clave principal no se llama <code>id</code>, ponga su nombre entre las llaves.",
  sheetChooseCell:
    "En la hoja «{{table}}», haga clic en una celda vacía de la fila 2. Si la clave del registro no está en la columna A, cambie A2 en la fórmula.",
  pasteThisAndPressEnter: "Pegue esto y pulse Intro.",
  dragCornerOfCellDown: "Arrastre la esquina de la celda hasta la última fila.",
  addLinkToRecords:
    "Añada esta URL como enlace junto a cada registro de «{{table}}», con el ID del registro al final.",
  copyWhere: "Copiar: {{where}}",
  pdf: "PDF",
  backToShort: "Volver a «{{short}}»",
  tableChanged:
    "La tabla ha cambiado y ya no coincide con lo que eligió. Revise los campos y el destino del archivo.",
  technicalDetails: "Detalles técnicos",
  planNeeded: "Los botones requieren el plan premium o enterprise",
  planNeededHelp:
    "Su organización tiene el plan {{plan}}. Aquí puede probarlo todo, pero no crear un botón.",
  askOwnerToConnect:
    "Pida a un propietario de su organización que conecte una hoja de cálculo.",
  whatDoYouWantTo: "¿Qué quiere conectar?",
  couldntConnectToTitle: "No se pudo conectar con {{title}}",
  fixAndConnect:
    "Corrija el problema de arriba y seleccione Conectar de nuevo.",
  connect: "Conectar",
  airtableOpenTokens:
    "Abra <a>airtable.com/create/tokens</a> y haga clic en <b>Create new token</b>.",
  airtableAddScopes:
    "Añada los ámbitos <code>data.records:read</code>, <code>data.records:write</code> y <code>schema.bases:read</code>.",
  airtableAddBase: "En <b>Access</b>, añada la base con sus registros.",
  copyTokenAndPasteIt: "Copie el token y péguelo aquí.",
  nocodbOpenTokens:
    "En NocoDB, haga clic en su foto de perfil y después en <b>Account settings</b> y <b>Tokens</b>.",
  nocodbAddToken:
    "Haga clic en <b>Add new API token</b> y pegue aquí el token. Tiene el mismo acceso que usted.",
  directusOpenUser:
    "En Directus, abra <b>User Directory</b> y un usuario cuya política permita leer sus colecciones, actualizar elementos y crear archivos.",
  directusAddToken:
    "En <b>Token</b>, haga clic en el signo más, copie el token, guarde el usuario y pegue el token aquí.",
  sheetsShare:
    "Comparta la hoja de cálculo, como editor, con la cuenta de servicio o con el usuario que da el consentimiento.",
  sheetsColumns:
    "La primera fila debe contener los nombres de las columnas, y una columna llamada <b>ID</b> debe tener un valor distinto en cada fila.",
  sqlUser:
    "Use un usuario de base de datos aparte que solo pueda leer las tablas y escribir en las columnas que guardan archivos.",
  couldntLoadFields: "No se pudieron cargar los campos",
  countFieldsToChoose_one: "{{count, number}} campo por elegir",
  countFieldsToChoose_many: "{{count, number}} de campos por elegir",
  countFieldsToChoose_other: "{{count, number}} campos por elegir",
  saveAndContinue: "Guardar y continuar",
  couldntSaveTemplate: "No se pudo guardar la plantilla",
  readItAgain: "Volver a cargar",
  fieldsNotMapped: "Faltan campos de la plantilla por asignar",
  fieldsNotMappedHelp:
    "Elija un campo de su tabla para {{labels}} o elija «Dejar vacío».",
  record: "El registro",
  filledFrom: "Se rellena con la tabla <b>{{table}}</b>",
  eachFilledFrom: "Cada uno se rellena con la tabla <b>{{table}}</b>",
  noTemplateFields: "Esta plantilla no tiene campos que rellenar.",
  oneLinkedRecord: "Un registro enlazado",
  linkedRecords: "Registros enlazados",
  leaveItEmpty: "Dejar vacío",
  noMatchingFieldInYour: "Ningún campo de su tabla coincide.",
  leftEmptyInDocument: "Queda vacío en el documento.",
  emptyInFirstRecord: "Vacío en el primer registro",
  versionNote: "Conectada a la tabla {{name}} de {{connectionName}}",
  continue: "Continuar",
  chooseFieldThatTakesFile: "Elija el campo para el archivo.",
  chooseAtLeastOneKind: "Elija al menos un formato de archivo.",
  whereFileGoes: "Destino del archivo",
  storesFile: "{{native}}: guarda el archivo",
  storesLink: "{{native}}: guarda un enlace al archivo",
  storesExpiringLink: "{{native}}: guarda un enlace que vence",
  attachment: "Adjunto",
  linkStays: "El enlace no vence",
  linkStaysHelp:
    "El archivo se guarda en su cuenta y «{{name}}» recibe un enlace a él.",
  linkExpires_one: "El enlace vence en {{count, number}} hora",
  linkExpires_many: "El enlace vence en {{count, number}} de horas",
  linkExpires_other: "El enlace vence en {{count, number}} horas",
  linkExpiresHelp:
    "Después, el archivo no se podrá abrir desde «{{name}}». Para conservarlo en la tabla, elija una columna que guarde el propio archivo.",
  dontSaveToTable: "No guardar en la tabla",
  dontSaveHelp: "Se descarga desde la página que abre el botón.",
  airtableAddFileField:
    "En Airtable, añada a la tabla un campo de tipo Attachment y compruebe de nuevo.",
  nocodbAddFileField:
    "En NocoDB, añada a la tabla un campo de tipo Attachment y compruebe de nuevo.",
  directusAddFileField:
    "En Directus, añada a la colección un campo del tipo Files o File, o dé al usuario del token el derecho de actualizar elementos y crear archivos. Después, vuelva a comprobar.",
  sheetsAddFileColumn:
    "En la hoja, añada una columna llamada «PDF» o «Document» y compruebe de nuevo.",
  sqlAddFileColumn:
    "La conexión debe permitir la escritura («writable») y la tabla necesita una columna para datos binarios o una columna de enlaces indicada en los ajustes de la conexión.",
  noFileField: "«{{name}}» aún no tiene un campo para archivos",
  addFileField: "Añada a la tabla un campo para archivos y compruebe de nuevo.",
  checkAgain: "Comprobar de nuevo",
  imageOfFirstPage: "Imagen de la primera página",
  webPageHtml: "Página web (HTML)",
  kindOfFile: "Formato de archivo",
  keepThem: "Conservar",
  replaceThem: "Sustituir",
  filesThatAreThereAlready: "Archivos existentes",
  connectYourSpreadsheet: "Conecte su hoja de cálculo",
  connectLead:
    "Platen lee sus registros y guarda en ella los archivos terminados.",
  chooseTable: "Elija la tabla",
  tableLead: "Cada registro se convierte en un documento.",
  chooseTemplate: "Elija la plantilla",
  templateLead: "La plantilla define el aspecto del documento.",
  fillTemplate: "Rellene la plantilla",
  fieldsLead: "Para cada campo de la plantilla, elija un campo de su tabla.",
  chooseWhereFileGoes: "Elija el destino del archivo",
  fileLead: "El documento terminado se guarda en un campo de su registro.",
  addButtonToYourTable: "Añada el botón a su tabla",
  buttonLead: "Un clic en su hoja de cálculo crea el documento.",
  tryItWithOneRecord: "Pruebe con un registro",
  tryLead: "Crea un documento real, igual que el botón.",
  couldntLoadYourBases: "No se pudieron cargar sus bases",
  searchTablesAndFields: "Buscar tablas y campos",
  tables: "Tablas",
  noTablesFound: "No se encontraron tablas",
  noTablesHelp: "Dé a la conexión acceso a una base con sus registros.",
  countFields_one: "{{count, number}} campo",
  countFields_many: "{{count, number}} de campos",
  countFields_other: "{{count, number}} campos",
  fieldsOfName: "Campos de {{name}}",
  andMoreMore: "y {{more}} más",
  files: "Archivos",
  other: "Otro",
  createOneFromName: "Crear una a partir de «{{name}}»",
  fromTableHelp:
    "La forma más rápida de empezar: una página con todos los campos de la tabla y sus registros enlazados, con su primer registro. Después puede cambiarlo todo.",
  createTemplateFromTable: "Crear plantilla desde la tabla",
  useOneOfYourTemplates: "Usar una de sus plantillas",
  searchTemplatesByName: "Buscar plantillas por nombre",
  noMatchesForSearch: "Sin resultados para «{{search}}».",
  shownOfTotal:
    "Se muestran {{maxShown, number}} de {{total, number}}. Busque para encontrar las demás.",
  startFromExample: "Empezar con una muestra",
  goToBatches: "Ir a los lotes",
  createDocumentForName: "Crear el documento para «{{name}}»",
  chooseRecordOfName: "Elija un registro de «{{name}}»",
  searchByName: "Buscar por {{name}}",
  couldntLoadRecords: "No se pudieron cargar los registros",
  tableHasNoRecordsYet: "La tabla aún no tiene registros.",
  chooseAnother: "Elegir otro",
  recordId: "ID del registro",
  recordIdHelp:
    "En esta plataforma no se puede buscar. Copie de ella el ID del registro.",
  couldntLoadProgress: "No se pudo cargar el progreso",
  fileSavedToField: "Archivo guardado en «{{field}}»",
  notSavedToTable: "El documento se creó, pero no se guardó en su tabla",
  itWorks: "Funciona",
  documentReady: "El documento para «{{name}}» está listo.",
  fileInField:
    "El archivo está en el campo «{{field}}» de «{{name}}» en «{{name2}}».",
  openLabelSize: "Abrir el {{label}}<span>{{size}}</span>",
  goToTemplate: "Ir a la plantilla",
  onlyEditorsCanDoThis: "Solo los editores pueden hacer esto",
  youHaveReadOnlyAccess:
    "Tiene acceso de solo lectura. Pida el rol de editor a un propietario.",
  steps: "Pasos",
  stepNumberOfLength: "Paso {{number}} de {{length}}",
  emailChanged: "Correo, último cambio: {{ago}}",
  documentChanged: "Documento, último cambio: {{ago}}",
  fieldWithType: "{{name}} ({{type}})",
} as const satisfies Translation<typeof en.wizard, "es">;
