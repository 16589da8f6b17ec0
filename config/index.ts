// The environment, read once into one typed, checked value. Rooms never read the environment themselves.
export { baseUrlOf, type Config, urlOf } from "./config.js";
export { loadDotenv } from "./dotenv.js";
export { parseConfig } from "./parse-config.js";
export { loadSecret } from "./secret.js";
