/** Time as data. Instants are epoch milliseconds; spans are milliseconds. Nothing here reads a clock. */

/** An instant: milliseconds since 1970-01-01T00:00:00Z, as the store's clock tells it. */
export type Instant = number
/** A span in milliseconds. */
export type Millis = number

export const second: Millis = 1_000
export const minute: Millis = 60 * second
export const hour: Millis = 60 * minute
export const day: Millis = 24 * hour
