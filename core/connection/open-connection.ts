import type { OpenPlatform } from "../host/index.js";

/** A connection that is ready to be used. */
export interface OpenConnection {
  id: string;
  name: string;
  platform: OpenPlatform;
}
