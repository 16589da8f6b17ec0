import { expect } from "chai";
import { languageNames } from "../../core/plugin-api/languages.js";
import type { SettingsSchema } from "../../core/plugin-api/index.js";
import {
  shippedDeliveries,
  shippedPlatforms,
  shippedProviders,
} from "../../plugins/index.js";

/** The languages besides English. */
const languages = Object.keys(languageNames).filter((one) => one !== "en");

/** The names of the texts that each setting has, by the setting's name. */
function listTexts(properties: object): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, setting]: [string, object]) => [
      name,
      ["title", "description"].filter((text) => Object.hasOwn(setting, text)),
    ]),
  );
}

function expectTranslated({ properties, translations = {} }: SettingsSchema) {
  const expected = listTexts(Object(properties));
  expect(Object.keys(translations).toSorted()).to.deep.equal(languages);
  for (const { properties: translated = {} } of Object.values(translations))
    expect(listTexts(translated)).to.deep.equal(expected);
}

describe("the settings of shipped plugins", () => {
  const all = [...shippedPlatforms, ...shippedProviders, ...shippedDeliveries];
  for (const plugin of all)
    it(`of ${plugin.id} have every title and description in all languages`, async () => {
      const { credentials } = await plugin.load();
      expectTranslated(credentials.schema);
    });

  for (const plugin of shippedDeliveries)
    it(`for one delivery of ${plugin.id} have every title and description in all languages`, async () => {
      const { target } = await plugin.load();
      expectTranslated(target.schema);
    });
});
