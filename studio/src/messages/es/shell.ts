import type { Translation } from "../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const shell = {
  documentation: "Documentación",
  pageNotFound: "Página no encontrada",
  pageDoesntExist: "Esta página no existe",
  checkAddress:
    "Compruebe que la dirección no tenga errores. También es posible que la página se haya movido.",
  goToTemplates: "Ir a las plantillas",
  skipToContent: "Saltar al contenido",
  couldntOpenPlaten: "No se pudo abrir Platen",
  platen: "Platen",
  pages: "Páginas",
  templates: "Plantillas",
  documents: "Documentos",
  batches: "Lotes",
  assets: "Recursos",
  connectSpreadsheet: "Conectar una tabla",
  buttons: "Botones",
  connections: "Conexiones",
  webhooks: "Webhooks",
  usage: "Uso",
  numbers: "Numeración",
  apiKeys: "Claves de API",
  assistants: "Asistentes",
  people: "Personas",
  auditLog: "Auditoría",
  plugins: "Complementos",
  system: "Sistema",
  light: "Claro",
  dark: "Oscuro",
  accountOf: "Cuenta de",
  accountAndSessions: "Cuenta y sesiones",
  organizationAndRole: "{{organization}}, {{role}}",
  colors: "Colores",
  signOut: "Cerrar sesión",
  organization: "Organización",
  couldntSwitchOrganization: "No se pudo cambiar de organización.",
} as const satisfies Translation<typeof en.shell, "es">;

export const session = {
  onlyOwnersCanOpenThisPage: "Solo los propietarios pueden abrir esta página",
  askOwner: "Pida ayuda a un propietario de su organización.",
  youAreSignedOut: "Su sesión está cerrada.",
  signInAgain: "Volver a iniciar sesión",
  signedOutHelp:
    "Cerró la sesión en otra pestaña o su sesión terminó. Vuelva a iniciar sesión como {{name}} para continuar. Sus cambios siguen en esta pestaña.",
  otherIsNowSignedIn: "Ha iniciado sesión como otra persona en otra pestaña.",
  continueAsOther: "Continuar como otra persona",
  youAreNowSignedIn: "Ha iniciado sesión como {{name}} en otra pestaña.",
  signInAsName: "Iniciar sesión como {{name}}",
  continueAsName: "Continuar como {{name}}",
  otherPersonHelp:
    "Esta pestaña se abrió como {{name}}. Nada de lo que haga aquí se guarda hasta que {{name}} vuelva a iniciar sesión. Sus cambios siguen en esta pestaña.",
  youOpenedNameInAnotherTab: "Abrió {{name}} en otra pestaña.",
  switchBackToName: "Volver a {{name}}",
  continueInName: "Continuar en {{name}}",
  otherOrganizationHelp:
    "Esta pestaña todavía muestra {{name}}. Nada de lo que haga aquí se guarda hasta que vuelva a {{name}}. Sus cambios siguen en esta pestaña.",
} as const satisfies Translation<typeof en.session, "es">;

export const account = {
  ownerRole: "Propietario: acceso completo, incluidas las claves de API",
  editorRole: "Editor: puede cambiar plantillas y crear documentos",
  viewerRole: "Lector: acceso de solo lectura",
  account: "Cuenta",
  couldntLoadYourSessions: "No se pudieron cargar sus sesiones",
  whereYouAreSignedIn: "Sesiones abiertas",
  endUnknownSessions: "Cierre las sesiones que no reconozca.",
  allOtherSessionsEnded: "Se cerraron las demás sesiones.",
  endAllOthers: "Cerrar las demás",
  signedInDateLastUsed: "Inicio: {{date}}, último uso: {{ago}}",
  thisBrowser: "Este navegador",
  endSessionInBrowser: "Cerrar la sesión en {{browser}}",
  sessionEnded: "Sesión cerrada.",
  end: "Cerrar",
} as const satisfies Translation<typeof en.account, "es">;

export const signIn = {
  signInPlaten: "Iniciar sesión · Platen",
  signInToPlaten: "Iniciar sesión en Platen",
  thisLinkWorksOnceAnd:
    "Este enlace solo se puede usar una vez. Inicia su sesión en este navegador.",
  signIn: "Iniciar sesión",
  couldntLoadSignInOptions:
    "No se pudieron cargar las opciones de inicio de sesión",
  continueWithOpenId: "Continuar con {{openId}}",
  or: "o",
  emailMeSignInLink: "Recibir un enlace por correo",
  checkYourEmail: "Revise su correo",
  linkSent:
    "Si {{to}} tiene una cuenta, hemos enviado un enlace de acceso. Solo se puede usar una vez y vence pronto.",
  thisLinkHasBeenUsed: "Este enlace ya se usó o ha vencido",
  eachLinkWorksOnceAnd:
    "Cada enlace solo se puede usar una vez y vence pronto. Solicite uno nuevo.",
  thisLinkIsIncomplete: "Este enlace está incompleto",
  incompleteLinkHelp:
    "Algunos programas de correo cortan los enlaces largos. Copie el enlace entero en la barra de direcciones o solicite uno nuevo.",
  youHaveNoAccountHere: "Aún no tiene una cuenta",
  noOrganizationForEmail:
    "Su correo no está en ninguna organización. Pida una invitación a un propietario de su organización o al operador de este servidor.",
  yourEmailAddressIsNot: "Su correo no está verificado",
  verifyEmailHelp:
    "Verifíquelo con su proveedor e inténtelo de nuevo, o solicite un enlace de acceso.",
  signInWasNotCompleted: "El inicio de sesión no se completó",
  deniedHelp:
    "Su proveedor denegó el acceso o usted canceló. Inténtelo de nuevo.",
  signInTookTooLong:
    "El inicio de sesión tardó demasiado o empezó en otro navegador",
  startAgainInThisBrowser: "Empiece de nuevo en este navegador.",
  providerNotResponding: "El proveedor de inicio de sesión no responde",
  providerNotRespondingHelp:
    "Inténtelo de nuevo en un minuto. Si el problema continúa, pida al operador de este servidor que revise el log de Platen.",
  couldntSignYouIn: "No se pudo iniciar la sesión",
  waitMinuteThenTryAgain: "Espere un minuto e inténtelo de nuevo.",
  askOperator:
    "Pida un enlace de acceso al operador de este servidor. Se crea con",
  orAskOperator:
    "O pida un enlace de acceso al operador de este servidor. Se crea con",
  about: "Acerca de Platen",
  tagline: "Documentos y correos a partir de sus datos",
  whatItIs:
    "Platen convierte registros en PDF y correos: facturas, contratos, etiquetas, boletines.",
  design: "Diseñe una plantilla con el ratón",
  designHelp:
    "Sin código: arrastre componentes, inserte campos y vea el PDF real.",
  fill: "Rellénela desde una hoja de cálculo o base de datos",
  fillHelp:
    "Airtable, Google Sheets, NocoDB, Directus, SQL o su propio programa.",
  send: "Cree, firme y guarde",
  sendHelp: "Un documento con un clic o miles en un lote.",
  noAccount: "¿Aún no tiene una cuenta?",
  noAccountHelp:
    "Pida a un propietario de su organización que le invite en Personas.",
  noKeyHelp:
    "Para las claves de API, inicie sesión primero: los propietarios las crean en Claves de API.",
  emailHelp: "Le enviamos un enlace. No necesita contraseña.",
} as const satisfies Translation<typeof en.signIn, "es">;
