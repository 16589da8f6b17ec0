import type { SettingsSchema as Schema } from "../../../../../../core/plugin-api/plugin.js";
import type { SettingsSchema } from "../connections/settings.js";

/** What a connection to a plugin asks for, in a table. */
export function PluginSettings({ schema }: { schema: Schema }) {
  const { properties = {}, required = [] }: SettingsSchema = schema;
  const all = Object.entries(properties);
  if (all.length === 0) return null;
  return (
    <details class="whole">
      <summary>What a connection asks for</summary>
      <dl class="plugin-settings">
        {all.map(([name, one]) => (
          <div key={name}>
            <dt>
              {one.title ?? name}
              {required.includes(name) && <span class="badge">Needed</span>}
              {one.writeOnly && <span class="badge">Secret</span>}
            </dt>
            <dd class="muted small">{one.description ?? ""}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
