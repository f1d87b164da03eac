/** Width and margins of every page: header, content and footer share its edges. */
export const measure = 'mx-auto w-full max-w-[78rem] px-4 sm:px-8'
