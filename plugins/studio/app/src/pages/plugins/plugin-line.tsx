import type { PluginInfo } from "../../../../../../core/plugin-api/app-plugins.js";
import { PluginSettings } from "./plugin-settings.js";
import { abilityWords } from "./plugin-words.js";

/** A plugin: which, whether it works, what it can do, what it asks for. */
export function PluginLine({ plugin }: { plugin: PluginInfo }) {
  const { title, version, source, fault, abilities, settings } = plugin;
  return (
    <li class="line plugin">
      <div class="words">
        <strong>{title}</strong>
        <span class="muted small">
          {source === "shipped" ? "Comes with Platen" : source}
          {version !== null && `, version ${version}`}
        </span>
      </div>
      <span class={`badge ${fault === null ? "good" : "bad"}`}>
        <span class="dot" />
        {fault === null ? "Ready" : "Not usable"}
      </span>
      {fault !== null && <p class="why">{fault}</p>}
      {abilities.length > 0 && (
        <p class="muted small whole">
          {abilities.map((one) => abilityWords[one]).join(" · ")}
        </p>
      )}
      {settings && <PluginSettings schema={settings} />}
    </li>
  );
}
