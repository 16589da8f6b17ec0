// Saved connections of organizations to platforms and e-signature providers: credentials are validated by the plugin's
// schema, encrypted at rest, tested and rotated. Callers decide what a connection is used for.
export { Authorizations } from "./authorizations.js";
export {
  connectionSchema,
  ConnectionService,
  connectionTestSchema,
  type CredentialsObserver,
  type DeliveryConnection,
  type EsignConnection,
  type PlatformConnection,
  type ConnectionTest,
  type ConnectionView,
  CREDENTIALS_OBSERVER,
} from "./connection-service.js";
