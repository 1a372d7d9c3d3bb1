/** A field that somebody is led to, until it has the keyboard. Pure. */

export interface FieldWish {
  readonly field: string
  /** Makes a repeated wish a new one. */
  readonly at: number
  /** Whether the field has had the keyboard since: made anew, it doesn't take it again. */
  readonly isGranted: boolean
}

export const granted = (wish: FieldWish | null): FieldWish | null =>
  wish === null || wish.isGranted ? wish : { ...wish, isGranted: true }

/** The wish, while a field that is meant has yet to have the keyboard for it. */
export const pendingFor = (wish: FieldWish | null, isMeant: (field: string) => boolean): FieldWish | null =>
  wish !== null && !wish.isGranted && isMeant(wish.field) ? wish : null
