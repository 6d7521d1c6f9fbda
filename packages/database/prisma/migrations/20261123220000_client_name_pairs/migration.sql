-- What a search takes for the same: no difference between upper and lower case in the Latin letters of European
-- languages and Vietnamese, in Greek and in Cyrillic, and all forms of i and sigma are one. Every other character is
-- itself. The collation "C" and the list make it the same in every database. Letter by letter, so that texts keep their
-- length. It may be part of an index: never change it, make a new one.
CREATE FUNCTION "vestibule_fold_case"(value TEXT) RETURNS TEXT
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN octet_length(value) = length(value) THEN lower(value COLLATE "C")
    ELSE translate(
      lower(value COLLATE "C"),
      'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮİĲĴĶĹĻĽĿŁŃŅŇŊŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽͰͲͶͿΆΈΉΊΌΎΏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫϏϘϚϜϞϠϢϤϦϨϪϬϮϴϷϹϺϽϾϿЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѶѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӁӃӅӇӉӋӍӐӒӔӖӘӚӜӞӠӢӤӦӨӪӬӮӰӲӴӶӸӺӼӾẠẢẤẦẨẪẬẮẰẲẴẶẸẺẼẾỀỂỄỆỈỊỌỎỐỒỔỖỘỚỜỞỠỢỤỦỨỪỬỮỰỲỴỶỸƠƯςı',
      'àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįiĳĵķĺļľŀłńņňŋōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷÿźżžͱͳͷϳάέήίόύώαβγδεζηθικλμνξοπρστυφχψωϊϋϗϙϛϝϟϡϣϥϧϩϫϭϯθϸϲϻͻͼͽѐёђѓєѕіїјљњћќѝўџабвгдежзийклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѷѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӂӄӆӈӊӌӎӑӓӕӗәӛӝӟӡӣӥӧөӫӭӯӱӳӵӷӹӻӽӿạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹơưσi'
    )
  END
$$;

-- Every two characters that stand side by side in a name of a client, in any language: what holds a text holds all
-- pairs of that text. Pairs rather than triples, since many Chinese and Japanese words have two characters. The cost
-- is above that of looking at the names themselves, so that plans which do not use the index judge by these first.
CREATE FUNCTION "vestibule_name_pairs"(metadata JSONB) RETURNS JSONB
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 2000 SET search_path FROM CURRENT AS $$
DECLARE
  name TEXT;
  pairs TEXT[] := '{}';
BEGIN
  FOR name IN
    SELECT vestibule_fold_case(metadata ->> member) FROM jsonb_object_keys(metadata) AS member
    WHERE starts_with(member, 'client_name')
  LOOP
    FOR start IN 1 .. coalesce(length(name), 0) - 1 LOOP
      pairs := pairs || substr(name, start, 2);
    END LOOP;
  END LOOP;
  RETURN to_jsonb(pairs);
END
$$;
