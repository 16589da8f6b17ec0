// What the studio shows of this capability: types and lists alone, since its pages import this file.

/** Without the private key. Times are ISO 8601. */
export interface SigningCertificateView {
  /** `CN=Invoices, O=Example, C=DE`. */
  subject: string;
  issuer: string;
  /** Hexadecimal. */
  serialNumber: string;
  /** SHA-256, hexadecimal with colons. */
  fingerprint: string;
  /** `RSA 2048` or `EC P-256`. */
  key: string;
  validFrom: string;
  validUntil: string;
  /** How many certificates are put into each signature: its own, and those of the authorities that issued it. */
  chainLength: number;
  timestampUrl: string | null;
  createdAt: string;
}
