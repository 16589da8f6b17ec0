import type { ComponentOf } from "../../../../../../../core/contract/definition.js";

const names: ReadonlyMap<string, string> = new Map([
  ["github", "GitHub"],
  ["linkedin", "LinkedIn"],
  ["tiktok", "TikTok"],
  ["whatsapp", "WhatsApp"],
  ["x", "X"],
  ["youtube", "YouTube"],
]);

/** Links in words, as the email has them. */
export function SocialLinks({
  component,
}: {
  component: ComponentOf<"social">;
}) {
  return (
    <span class="social-links">
      {component.items.map(({ network }, index) => (
        <span key={index}>{networkName(network)}</span>
      ))}
    </span>
  );
}

function networkName(network: string): string {
  const known = names.get(network.toLowerCase());
  return known ?? network.charAt(0).toUpperCase() + network.slice(1);
}
