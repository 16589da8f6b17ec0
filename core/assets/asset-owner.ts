/** In whose organization and name an asset is kept. */
export interface AssetOwner {
  organizationId: string;
  userId: string;
}
