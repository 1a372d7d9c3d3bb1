/** What is dragged out of a tree of values: the expression that reads it. */

/** The text of the drag is the expression too, so that editors of code take it as well. */
export const valueDragType = 'application/x-sagasmith-value'

export interface DraggedValue {
  readonly expression: string
  /** The last name of its path, for fields that need a name; null where it has none. */
  readonly name: string | null
}

/** Puts the value into the drag. */
export function writeDrag(transfer: DataTransfer, dragged: DraggedValue): void {
  transfer.effectAllowed = 'copy'
  transfer.setData(valueDragType, JSON.stringify(dragged))
  transfer.setData('text/plain', dragged.expression)
}

/** The value in a drag that is dropped; null for any other drag. */
export function readDrag(transfer: DataTransfer): DraggedValue | null {
  const text = transfer.getData(valueDragType)
  // Written by `writeDrag`; nobody else knows the type.
  return text === '' ? null : (JSON.parse(text) as DraggedValue)
}
