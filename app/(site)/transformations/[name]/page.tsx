import { codePage } from '../../_entity/code-page.tsx'

const { generateMetadata, Page } = codePage('transformation')

export { generateMetadata }
export default Page
