import type { Editor } from "../../model/editor.js";
import { useEditor } from "../../model/editor-context.js";
import { updateComponent } from "../../model/edits.js";
import type { Entry } from "../../model/tree.js";
import { ContentField } from "./content-field.js";
import type { ContentControl } from "./content-control.js";
import { controlsOf } from "./content-controls.js";
import { ChartFields } from "./chart-fields.js";
import { ChoiceLines } from "./choice-lines.js";
import { SocialLinks } from "./social-links.js";
import { TableColumns } from "./table-columns.js";

/** What a component says and shows. */
export function ContentPanel({ entry }: { entry: Entry }) {
  const editor = useEditor();
  const { id, component } = entry;
  const controls = controlsOf(component.type);
  if (controls.length === 0)
    return (
      <p class="prop-example">
        {component.type === "divider" || component.type === "page-break"
          ? "There is nothing to fill in here."
          : "It holds other parts. Drag them into it on the page."}
      </p>
    );
  return (
    <div class="props">
      {controls
        .filter(({ kind }) => kind !== "custom")
        .map((control) => (
          <ContentField
            control={control}
            owner={id}
            value={Reflect.get(component, control.property)}
            onChange={(value) => setProperty(editor, id, control, value)}
            onLeave={() => editor.endThread()}
            key={control.property}
          />
        ))}
      <OwnFields entry={entry} />
    </div>
  );
}

/** What some types have that no single field could show. */
function OwnFields({ entry: { id, component } }: { entry: Entry }) {
  const editor = useEditor();
  const set = (property: string, label: string) => (value: unknown) =>
    setProperty(editor, id, { property, label }, value);
  switch (component.type) {
    case "table":
      return (
        <TableColumns
          id={id}
          columns={component.columns ?? []}
          onChange={set("columns", "columns")}
        />
      );
    case "chart":
      return <ChartFields id={id} chart={component} />;
    case "social":
      return (
        <SocialLinks items={component.items} onChange={set("items", "links")} />
      );
    case "sign-field":
      return component.field === "select" ? (
        <ChoiceLines
          options={component.options ?? []}
          onChange={set("options", "choices")}
        />
      ) : null;
    default:
      return null;
  }
}

function setProperty(
  editor: Editor,
  id: string,
  { property, label }: Pick<ContentControl, "property" | "label">,
  value: unknown,
): void {
  updateComponent(
    editor,
    id,
    `Change ${label.toLowerCase()}`,
    (component) => {
      if (value === undefined) Reflect.deleteProperty(component, property);
      else Reflect.set(component, property, value);
    },
    `${property}:${id}`,
  );
}
