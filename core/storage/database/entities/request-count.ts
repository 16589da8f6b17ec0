import { Column, Entity, PrimaryColumn } from "typeorm";
import { big, count, line } from "../columns.js";

/** How many requests were made in one minute. */
@Entity("request_count")
export class RequestCount {
  /** Whose they are: an organization's, or a key's. */
  @PrimaryColumn(line) bucket!: string;
  /** Minutes since 1970. */
  @PrimaryColumn(big) minute!: number;
  @Column(count) requests!: number;
}
