// The environment, parsed once into one typed value. Capabilities never read environment variables themselves.
export { getBaseUrl, type Config, parseConfig, urlOf } from "./config.js";
export { loadDotenv } from "./dotenv.js";
export { loadSecret } from "./secret.js";
