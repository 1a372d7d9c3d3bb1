/** How the kinds that people make are told from those of the catalogue. */

/** Whether a kind can only be a custom task: those have a dot, as in `acme.greet`, and no kind of ours does. */
export const isCustomKind = (kind: string): boolean => kind.includes('.')
