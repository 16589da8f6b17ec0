import { existsSync } from "node:fs";

/** Reads `.env` of the working folder into the environment, if there is one; what is set already wins. */
export function loadDotenv(): void {
  if (existsSync(".env")) process.loadEnvFile(".env");
}
