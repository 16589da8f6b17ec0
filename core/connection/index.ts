// Saved access to outside services, for each organization: credentials checked by the plugin's own schema, encrypted
// at rest, tested and rotated. What is done with a connection is not its matter.
export type { ConnectionTest, ConnectionView } from "./connection-view.js";
export type { OpenConnection } from "./open-connection.js";
