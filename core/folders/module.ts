import { type DependencyContainer, registerClass } from "../lib/injection.js";
import { Folders } from "./index.js";
import { FOLDERS } from "./tokens.js";

export function registerFolders(container: DependencyContainer): void {
  registerClass(container, FOLDERS, Folders);
}
