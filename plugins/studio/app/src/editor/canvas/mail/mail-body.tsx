import type { Component } from "../../../../../../../core/plugin-api/definition.js";
import { useCanvas } from "../canvas-state.js";
import { ListView } from "../list-view.js";
import type { Place } from "../place.js";

interface MailBodyProps {
  components: readonly Component[];
  place: Place;
}

/** A pile of sections; what stands beside them is gathered into sections of its own, as in the email. */
export function MailBody({ components, place }: MailBodyProps) {
  const { sectionPadding } = useCanvas().editor.design.defaults.email;
  if (place.mail !== "body" || components.length === 0)
    return <ListView components={components} place={place} />;
  return (
    <>
      {runsOf(components).map((run) =>
        run.isLoose ? (
          <div style={{ padding: sectionPadding }} key={run.components[0]?.id}>
            <ListView components={run.components} place={place} />
          </div>
        ) : (
          <ListView
            key={run.components[0]?.id}
            components={run.components}
            place={place}
          />
        ),
      )}
    </>
  );
}

interface Run {
  isLoose: boolean;
  components: Component[];
}

function runsOf(components: readonly Component[]): Run[] {
  const runs: Run[] = [];
  for (const component of components) {
    const isLoose = !isBlock(component) && component.type !== "preheader";
    const last = runs.at(-1);
    if (last?.isLoose === isLoose) last.components.push(component);
    else runs.push({ isLoose, components: [component] });
  }
  return runs;
}

/** Makes sections of its own; a group does when one of its children does. */
export function isBlock(component: Component): boolean {
  switch (component.type) {
    case "section":
    case "hero":
    case "columns":
    case "container":
      return true;
    case "fragment":
      return component.components.some(isBlock);
    default:
      return false;
  }
}
