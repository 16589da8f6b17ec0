import { askPublic } from "../../api.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";

interface FavoriteButtonProps {
  template: { id: string; name: string; isFavorite: boolean };
  onChange: () => unknown;
}

/** The star of a template, for all of the organization. */
export function FavoriteButton({ template, onChange }: FavoriteButtonProps) {
  const { id, name, isFavorite } = template;
  const change = async () => {
    await askPublic(`templates/${id}`, "PATCH", { isFavorite: !isFavorite });
    await onChange();
  };
  return (
    <span class={`star ${isFavorite ? "on" : ""}`}>
      <Button
        kind="quiet"
        isIcon
        label={`Favourite: ${name}`}
        pressed={isFavorite}
        onPress={change}
      >
        <Icon name="star" isFilled={isFavorite} />
      </Button>
    </span>
  );
}
