/** The head of a table's column of buttons: seen by who hears the page only. */
export const ActionsHead = () => (
  <th scope="col">
    <span className="visually-hidden">What can be done</span>
  </th>
)
