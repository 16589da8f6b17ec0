import { ListLines } from "./list-lines.js";

interface SocialLink {
  network: string;
  href: string;
}

interface SocialLinksProps {
  items: readonly SocialLink[];
  onChange: (items: SocialLink[]) => void;
}

/** Which networks an email leads to, and where. */
export function SocialLinks({ items, onChange }: SocialLinksProps) {
  const change = (index: number, part: Partial<SocialLink>) =>
    onChange(
      items.map((one, at) => (at === index ? { ...one, ...part } : one)),
    );
  return (
    <ListLines
      label="Links"
      noun="link"
      list={items}
      make={(): SocialLink => ({ network: "web", href: "https://" })}
      onChange={onChange}
      draw={(item, index) => (
        <>
          <input
            class="input small"
            aria-label={`Network ${index + 1}`}
            value={item.network}
            onInput={({ currentTarget: { value } }) =>
              change(index, { network: value })
            }
          />
          <input
            class="input small"
            aria-label={`Address ${index + 1}`}
            value={item.href}
            onInput={({ currentTarget: { value } }) =>
              change(index, { href: value })
            }
          />
        </>
      )}
    />
  );
}
