import { existsSync } from "node:fs";

/** Loads `.env` of the working folder, if it exists; variables that are already set win. */
export function loadDotenv(): void {
  if (existsSync(".env")) process.loadEnvFile(".env");
}
