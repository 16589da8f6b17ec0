import type { Translation } from "../../../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const keys = {
  onlyOwnersCanManageApi:
    "Solo los propietarios pueden gestionar las claves de API",
  askOwner: "Pida una clave a un propietario de su organización.",
  lead: "Las claves de API permiten que otros programas usen Platen.",
  newKey: "Nueva clave",
  couldntLoadKeys: "No se pudieron cargar las claves",
  noKeysYet: "Aún no hay claves",
  noKeysHelp:
    "Los programas envían una clave con cada petición en la cabecera x-api-key.",
  createdDate: "Creación: {{date}}",
  usedAgo: "Último uso: {{ago}}",
  neverUsed: "Sin usar",
  expiresDate: "Vence el {{date}}",
  revoked: "Revocada",
  revokeName: "Revocar {{name}}",
  revoke: "Revocar",
  yourNewKey: "Su clave nueva",
  thisKeyIsShownOnly:
    "Esta clave se muestra una sola vez. Guárdela en su servidor.",
  newApiKey: "Nueva clave de API",
  createKey: "Crear clave",
  createDocuments: "Crear documentos",
  fullAccess: "Acceso completo",
  never: "Nunca",
  n30Days: "30 días",
  n90Days: "90 días",
  n1Year: "1 año",
  whereItIsUsedSuch: "Dónde se usa, como Tienda web",
  expires: "Vencimiento",
  networks: "Redes",
  networksPlaceholder: "Cualquiera, o por ejemplo 203.0.113.0/24",
  onlyFrom: "Solo desde {{networks}}",
  scopes: "Permisos",
  nameWasRevoked: "Se revocó {{name}}.",
  revokeNameQuestion: "¿Revocar {{name}}?",
  revokeWarning:
    "Se rechazarán las peticiones con <code>{{prefix}}…</code>. Esta acción no se puede deshacer.",
  keyCopied: "Clave copiada.",
} as const satisfies Translation<typeof en.keys, "es">;

export const assistants = {
  lead: "Asistentes de IA que se han conectado a su organización. Cada uno actúa en nombre de la persona que lo conectó.",
  ownLead: "Asistentes de IA que ha conectado. Actúan en su nombre.",
  couldntLoad: "No se pudieron cargar los asistentes",
  noneYet: "Ningún asistente conectado",
  noneHelp:
    "Añada Platen como conector en Claude, ChatGPT u otro asistente, con esta dirección. Aquí se le preguntará qué puede hacer.",
  address: "Dirección para asistentes",
  copyAddress: "Copiar dirección",
  addressCopied: "Dirección copiada.",
  byName: "Conectado por {{name}}",
  connectedDate: "Conexión: {{date}}",
  disconnect: "Desconectar",
  disconnectName: "Desconectar {{name}}",
  disconnectNameQuestion: "¿Desconectar {{name}}?",
  disconnectWarning:
    "{{name}} pierde el acceso de inmediato. Lo que ha creado se conserva. Se puede volver a conectar.",
  nameWasDisconnected: "Se desconectó {{name}}.",
  seeTemplates: "Ver sus plantillas y recursos",
  changeTemplates: "Crear, cambiar y mover a la papelera plantillas y recursos",
  seeDocuments: "Ver los documentos creados",
  createDocuments: "Crear documentos, que cuentan en su uso",
} as const satisfies Translation<typeof en.assistants, "es">;

export const connect = {
  title: "Conectar {{name}}",
  question: "¿Conectar {{name}} a Platen?",
  signedInAs: "Ha iniciado sesión como <b>{{email}}</b>.",
  itMay: "Podrá",
  roleAllowsNothing: "Su rol no permite nada de esto",
  roleAllowsNothingHelp:
    "Elija otra organización o pida otro rol a un propietario.",
  toHost: "Después volverá a <b>{{host}}</b>",
  toDevice:
    "Después volverá a una aplicación de este dispositivo (<b>{{host}}</b>)",
  ownNameOfHost:
    "«{{name}}» es el nombre que se da la aplicación. Continúe solo si acaba de iniciar esto en {{host}}.",
  ownNameOfDevice:
    "«{{name}}» es el nombre que se da la aplicación. Continúe solo si acaba de iniciar esto en ella.",
  verified: "{{host}} ha confirmado que esta aplicación es suya.",
  allow: "Permitir",
  cancel: "Cancelar",
  disconnectAnytime: "Puede desconectarla cuando quiera en Asistentes.",
  cannotConnect: "No se puede conectar esta aplicación",
  cannotConnectHelp:
    "La aplicación no ha recibido acceso. Empiece de nuevo en el asistente. Si vuelve a ocurrir, quite la conexión allí y añádala otra vez.",
  backTo: "Volver a {{host}}",
  done: "{{name}}: conexión establecida",
  declined: "{{name}}: conexión rechazada",
  doneHelp: "Puede cerrar esta página y volver a la aplicación.",
  goToPlaten: "Ir a Platen",
} as const satisfies Translation<typeof en.connect, "es">;

export const people = {
  lead: "Los miembros de su organización y sus roles.",
  inviteSomeone: "Invitar a alguien",
  couldntLoadPeople: "No se pudieron cargar las personas",
  you: "Usted",
  sinceDate: "Desde el {{date}}",
  changeRole: "Cambiar rol",
  newSignInLink: "Nuevo enlace de acceso",
  nameWasRemoved: "Se quitó a {{name}}.",
  removedWithKeys_one:
    "Se quitó a {{name}}. {{count, number}} clave de API que creó sigue funcionando.",
  removedWithKeys_many:
    "Se quitó a {{name}}. {{count, number}} de claves de API que creó siguen funcionando.",
  removedWithKeys_other:
    "Se quitó a {{name}}. {{count, number}} claves de API que creó siguen funcionando.",
  removeName: "¿Quitar a {{name}}?",
  removeWarning:
    "La sesión de {{name}} se cerrará de inmediato y solo podrá volver con una nueva invitación. Sus plantillas y documentos se conservan.",
  roleOfName: "Rol de {{name}}",
  roleChangeSignsYouOut:
    "Se cerrará su sesión. Vuelva a iniciarla para usar el rol nuevo.",
  roleChangeSignsThemOut:
    "Se cerrará su sesión. Esa persona debe volver a iniciarla para usar el rol nuevo.",
  viewerHelp:
    "Puede ver todo excepto las claves de API, las personas y la auditoría.",
  editorHelp: "También puede cambiar plantillas y crear documentos.",
  ownerHelp:
    "Acceso completo, incluidos personas, conexiones, webhooks y claves de API.",
  emailAddress: "Correo electrónico",
  invite: "Invitar",
  signInLinkForName: "Enlace de acceso para {{name}}",
  linkNotShown:
    "{{name}} pertenece también a otras organizaciones, por eso el enlace no se muestra aquí. Puede iniciar sesión como siempre y cambiar a su organización en el menú de la cuenta.",
  linkCopied: "Enlace copiado.",
  copyLink: "Copiar el enlace",
  linkWasSentByEmail: "El enlace se envió por correo",
  itWorksOnceAndExpires: "Solo se puede usar una vez y vence el {{time}}.",
  couldntEmailLink: "No se pudo enviar el enlace por correo",
  reasonIsInPlatensLog: "Consulte el motivo en el log de Platen.",
  shareLink:
    "Comparta este enlace solo con {{name}}. Solo se puede usar una vez, vence el {{time}} y no se volverá a mostrar.",
  orShareLink:
    "O comparta este enlace solo con {{name}}. Solo se puede usar una vez, vence el {{time}} y no se volverá a mostrar.",
} as const satisfies Translation<typeof en.people, "es">;

export const audit = {
  lead: "Quién cambió qué en su organización, lo más reciente primero. Las entradas no se pueden cambiar.",
  couldntLoadLog: "No se pudo cargar la auditoría",
  noMatchingEntries: "Ninguna entrada coincide",
  noMatchesHelp: "Pruebe otras fechas, otra persona o todas las acciones.",
  what: "Acción",
  who: "Persona",
  showAll: "Mostrar todo",
  everyone: "Todas",
  organizationCreated: "Organización creada",
  organizationChanged: "Organización modificada",
  personAdded: "Persona añadida",
  personJoinedFromAnotherOrganization:
    "Persona incorporada desde otra organización",
  roleChanged: "Rol modificado",
  personRemoved: "Persona quitada",
  signInLinkCreated: "Enlace de acceso creado",
  signedIn: "Inicio de sesión",
  sessionEnded: "Sesión cerrada",
  apiKeyCreated: "Clave de API creada",
  apiKeyRevoked: "Clave de API revocada",
  assistantConnected: "Asistente conectado",
  assistantDisconnected: "Asistente desconectado",
  templateImported: "Plantilla importada",
  templateCreated: "Plantilla creada",
  templateChanged: "Plantilla modificada",
  draftOfTemplateDiscarded: "Borrador de plantilla descartado",
  templateMovedToTrash: "Plantilla movida a la papelera",
  templateRestored: "Plantilla restaurada",
  assetUploaded: "Recurso subido",
  assetMovedToTrash: "Recurso movido a la papelera",
  assetRestored: "Recurso restaurado",
  assetDeletedPermanently: "Recurso eliminado definitivamente",
  buttonLinkCreated: "Enlace de botón creado",
  buttonLinkChanged: "Enlace de botón modificado",
  buttonLinkRevoked: "Enlace de botón revocado",
  signatureRequestCanceled: "Solicitud de firma cancelada",
  signatureRequestSentAgain: "Solicitud de firma reenviada",
  webhookAdded: "Webhook añadido",
  webhookChanged: "Webhook modificado",
  webhookDeleted: "Webhook eliminado",
  webhookSecretRotated: "Secreto de webhook renovado",
  webhookDisabled: "Webhook desactivado",
  connectionAdded: "Conexión añadida",
  connectionChanged: "Conexión modificada",
  connectionDeleted: "Conexión eliminada",
  connectionCredentialsReEncrypted:
    "Credenciales de conexión cifradas de nuevo",
  pluginEnabled: "Complemento activado",
  buttons: "Botones",
  inStudio: "en el estudio",
  viaApi: "con la API",
  viaAssistant: "con un asistente",
  onCommandLine: "en la línea de comandos",
  automatically: "automáticamente",
  system: "Sistema",
  operator: "El operador",
  fromFromToTo: "de {{from}} a {{to}}",
  asRole: "como {{role}}",
  byLink: "con un enlace",
  bySingleSignOn: "con inicio de sesión único",
  actor: "{{name}}, {{where}}",
  actorWithKey: "{{name}}, {{where}} con la clave {{key}}",
  allActions: "Todas las acciones",
} as const satisfies Translation<typeof en.audit, "es">;
