// Saved access to outside services, for each organization: credentials checked by the plugin's own schema, encrypted
// at rest, tested and rotated. What is done with a connection is not its matter.
export type { ConnectionInput, ConnectionPatch } from "./connection-input.js";
export type { ConnectionTest, ConnectionView } from "./connection-view.js";
export { type ConnectionList, Connections } from "./connections.js";
export type { OpenConnection, OpenEsignConnection } from "./open-connection.js";
export type { ConnectionActor, ConnectionNote } from "./ports.js";
export type { Resealed } from "./reseal-credentials.js";
