import { Fragment } from "preact";
import type { ComponentOf } from "../../../../../../../core/plugin-api/definition.js";
import { useCanvas } from "../canvas-state.js";

/** Links in words, as the email has them. */
export function SocialLinks({
  component,
}: {
  component: ComponentOf<"social">;
}) {
  const { networks } = useCanvas().editor.design.defaults.email;
  return (
    <>
      {component.items.map(({ network }, index) => (
        <Fragment key={index}>
          {index > 0 && " \u00a0 "}
          <span class="social-link">
            {networks[network.toLowerCase()] ?? capitalized(network)}
          </span>
        </Fragment>
      ))}
    </>
  );
}

function capitalized(network: string): string {
  return network.charAt(0).toUpperCase() + network.slice(1);
}
