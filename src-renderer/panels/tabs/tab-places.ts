/** Where a dragged tab belongs. Pure. */

export interface TabBox {
  readonly left: number
  readonly width: number
}

/** The index that the tab at `from` gets while the pointer is at `x`: past the middle of a neighbour. */
export function placeAt(boxes: readonly TabBox[], from: number, x: number): number {
  const middle = (index: number): number => {
    const box = boxes[index]
    return box === undefined ? Number.NaN : box.left + box.width / 2
  }
  if (x > middle(from + 1)) return from + 1
  return x < middle(from - 1) ? from - 1 : from
}
