export const deliveries = {
  delivery: "Delivery",
  pluginsLead: "Send finished documents on: by email, or to a storage.",
  templateLead:
    "Where each document goes once it is ready, unless a batch, a link or an automation says otherwise.",
  couldntLoad: "Couldn't load the connections",
  none: "Delivered nowhere",
  noneHelp:
    "Documents can be downloaded until they expire. Add a delivery to send each by email or to a storage.",
  add: "Add delivery",
  edit: "Edit delivery",
  editName: "Edit delivery to {{name}}",
  removeName: "Remove delivery to {{name}}",
  saved: "Delivery saved",
  to: "Deliver to",
  serviceMail: "Email of this service",
  unknownConnection: "Deleted connection",
  connectionsHelp:
    "Mailboxes and storages are added under <link>Connections</link>.",
  subject: "Subject",
  body: "Text",
  filename: "File name",
  filenameHelp: "Without extension. Default: the document's name.",
  insertField: "Insert field…",
  insertFieldInto: "Insert field into {{label}}",
  delivered: "Delivered: {{succeeded, number}}",
  unknown: "{{unknown, number}} may have arrived",
  notDelivered: "Not delivered",
  retry: "Retry failed deliveries",
  retrying: "Delivering again.",
  sendAgain: "Send again what may have arrived",
  sendAgainWarning_one:
    "Nobody knows whether {{count, number}} delivery arrived. Ask the recipient first: they may get it twice.",
  sendAgainWarning_other:
    "Nobody knows whether {{count, number}} deliveries arrived. Ask the recipients first: they may get them twice.",
} as const;
