import type { OpenEsign, OpenPlatform } from "../host/index.js";

/** A connection to a platform that is ready to be used. */
export interface OpenConnection {
  id: string;
  name: string;
  platform: OpenPlatform;
}

/** A connection to an e-signature provider that is ready to be used. */
export interface OpenEsignConnection {
  id: string;
  organizationId: string;
  name: string;
  provider: OpenEsign;
}
