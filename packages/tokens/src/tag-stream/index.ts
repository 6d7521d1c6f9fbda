export {
  type ResponseTags,
  type ResponseTagsDeps,
  responseTags,
  type TaggedResponse,
} from './response-tags.js';
export { type TagStream, type TagStreamOptions, type TagStreamReader, tagStream } from './tag-stream.js';
