//! The words of those who say nothing. In plain form: lower case, no markup, straight apostrophes.

/// Whole texts that are empty.
pub(super) const EMPTY: &[&str] = &[
    "n/a", "na", "n.a", "null", "none", "nil", "undefined", "nan", "empty", "blank", "void", "tbd", "not applicable",
    "no result", "no results", "no results found", "no result found", "no results available", "nothing found",
    "nothing to report", "no data", "no data found", "no data available", "no information", "no information found",
    "no information available", "no relevant information", "no relevant information found", "no relevant results",
    "no relevant results found", "no matches", "no matches found", "no match found", "no documents found",
    "no answer", "no answer found", "no response", "no output", "no content", "not found", "not available",
    "there are no results", "there were no results", "无", "暂无", "空", "没有", "没有结果", "无结果", "未找到", "没有找到",
    "0 results", "0 results found", "the search returned 0 results", "your search returned 0 results", "search returned 0 results", "ich konnte leider nichts finden", "ich konnte nichts finden", "leider konnte ich nichts finden", "leider habe ich nichts gefunden", "ich habe nichts gefunden", "0 matches", "0 hits", "0 treffer", "0 ergebnisse", "0 résultats", "0 resultados", "结果为空", "0条结果", "結果はありません", "結果なし", "該当する結果はありません", "未找到结果", "未找到相关结果", "未找到相关信息", "未找到相关内容", "没有找到相关信息", "没有找到相关内容", "暂无数据",
    "暂无信息", "没有数据", "无数据", "暂无相关信息", "不适用", "該当なし", "なし", "kein ergebnis", "keine ergebnisse",
    "keine ergebnisse gefunden", "keine treffer", "nichts gefunden", "keine daten", "keine daten verfügbar",
    "keine angabe", "keine angaben", "k.a", "k. a", "keine informationen", "keine informationen gefunden", "entfällt",
    "nicht verfügbar", "aucun résultat", "geen resultaten", "geen resultaten gevonden", "geen informatie gevonden", "geen gegevens", "brak wyników", "brak danych", "nie znaleziono wyników", "nie znaleziono informacji", "ничего не найдено", "результатов не найдено", "результаты не найдены", "нет результатов", "нет данных", "nenhum resultado", "nenhum resultado encontrado", "nenhuma informação encontrada", "sem resultados", "sem dados", "nessun risultato", "nessun risultato trovato", "nessuna informazione trovata", "검색 결과가 없습니다", "결과 없음", "لا توجد نتائج", "لم يتم العثور على نتائج", "لا توجد معلومات", "aucun résultat trouvé", "aucune donnée", "aucune information",
    "aucune information trouvée", "rien trouvé", "néant", "non disponible", "sans objet", "sin resultados",
    "no se encontraron resultados", "ningún resultado", "ningún resultado encontrado", "sin datos", "sin información",
    "no se encontró información", "no disponible", "no aplica",
    "task completed successfully", "task completed", "task complete", "task finished", "task done", "task successful", "completed successfully",
    "successfully completed", "the task was completed successfully", "the task has been completed successfully", "the task has been completed",
    "the task is complete", "the task is completed", "i have completed the task", "i've completed the task", "i completed the task",
    "done", "todo", "to do", "to be done", "to be determined", "tbc", "wip", "work in progress", "placeholder", "待定", "待补充", "research completed", "research complete", "analysis complete", "analysis completed", "all done", "request processed successfully",
    "operation completed successfully", "aufgabe erledigt", "aufgabe abgeschlossen", "tâche terminée", "tarea completada", "tarefa concluída",
    "attività completata", "taak voltooid", "задача выполнена", "任务已完成", "任务完成", "已完成任务", "タスクが完了しました", "作業が完了しました", "작업이 완료되었습니다",
];

/// Whole texts, but for a status code, that are an error.
pub(super) const ERRORS: &[&str] = &[
    "internal server error", "bad gateway", "service unavailable", "service temporarily unavailable", "gateway timeout", "gateway time-out",
    "connection refused", "connection timed out", "connection reset", "connection reset by peer", "connection error", "connection closed",
    "request timed out", "the request timed out", "request timeout", "operation timed out", "the operation timed out", "the operation has timed out", "the request has timed out", "read timed out", "timed out", "rate limit exceeded",
    "rate limit reached", "rate limited", "too many requests", "quota exceeded", "unauthorized", "forbidden", "access denied", "permission denied",
    "bad request", "method not allowed", "not found error", "an error occurred", "an error has occurred", "an unexpected error occurred",
    "unexpected error", "unknown error", "an internal error occurred", "internal error", "something went wrong", "error", "failed", "task failed",
    "just a moment", "checking your browser", "checking your browser before accessing", "please enable javascript and cookies to continue", "enable javascript and cookies to continue", "verify you are human by completing the action below", "verify you are human", "please enable javascript to continue", "page not found", "request failed", "the request failed", "fetch failed", "network error", "no such host", "name or service not known", "certificate has expired",
    "context length exceeded", "maximum context length exceeded", "model overloaded", "overloaded", "out of memory", "segmentation fault",
    "interner serverfehler", "erreur interne du serveur", "error interno del servidor", "内部服务器错误", "服务器内部错误", "服务不可用", "请求超时", "连接超时",
    "连接被拒绝", "发生错误", "出错了", "未知错误", "エラーが発生しました", "오류가 발생했습니다",
];

/// How a text begins that is an error where it goes on shortly.
pub(super) const ERROR_STARTS: &[&str] = &[
    "error:", "fatal:", "fatal error:", "exception:", "failed:", "error -", "[error]", "[err]", "fehler:", "erreur :", "erreur:", "error de ", "错误:", "错误：",
    "エラー:", "오류:", "ошибка:", "failed to fetch", "failed to connect", "could not connect to", "unable to connect to", "an error occurred while",
    "an error occurred:", "something went wrong while", "tool call failed:", "tool error:", "tool execution failed", "error calling tool", "error executing tool", "error running tool", "api error:", "request failed:", "request failed with", "request timed out",
];

/// Members of an object that is an error.
pub(super) const ERROR_MEMBERS: &[&str] = &[
    "error", "errors", "exception", "message", "msg", "detail", "details", "code", "status", "status_code", "statuscode", "type", "title", "success", "ok",
    "reason", "trace", "traceback", "stack", "request_id", "requestid", "trace_id", "timestamp", "time", "path", "retry_after", "retryable", "param",
    "error_code", "error_message", "error_description", "name", "instance",
];

/// Starts of sentences that say that nothing was found; empty, where nothing else is said.
pub(super) const NOT_FOUND: &[&str] = &[
    "no results found for ", "no results were found", "no result was found", "no results for ", "no matches found for ",
    "no matches were found", "no documents were found", "no documents matched", "no data was found", "nothing was found",
    "no information was found", "no information found on ", "no information found about ", "no relevant information was",
    "no relevant results were", "no relevant documents were", "there are no results for ", "there were no results for ",
    "the search returned no results", "your search returned no results", "the query returned no results",
    "search returned no results", "the tool returned no results", "the tool returned nothing", "the api returned no results", "the database returned no results", "i couldn't find any ", "i could not find any ", "i couldn't find anything",
    "i could not find anything", "i wasn't able to find any", "i was not able to find any", "i was unable to find any",
    "i cannot find any", "i can't find any", "i can not find any", "i have not found any", "i haven't found any", "we cannot find any", "i was unable to find ", "no information could be found", "no results could be found", "no relevant information could be found", "i could not determine ", "i couldn't determine ",
    "i cannot determine ", "i can't determine ", "i was unable to determine ", "i was not able to determine ", "es konnten keine ", "es konnte keine ", "es wurden keine informationen", "aucune information n'a ", "aucune information n'est ", "no se encontró ninguna ", "no se encontró información",
    "i did not find any ", "i didn't find any ", "i found no information", "i found no results", "i found nothing",
    "we couldn't find any ", "we could not find any ", "我没有找到", "我未能找到", "我找不到", "我无法找到", "没有找到关于",
    "没有找到与", "未找到与", "未找到关于", "未能找到", "es wurden keine ergebnisse", "es wurden keine treffer",
    "ich habe keine informationen", "ich habe dazu keine ", "dazu habe ich keine ", "ich habe dazu nichts gefunden", "ich konnte keine ", "ich konnte dazu keine ", "ich konnte dazu leider keine ", "ich konnte leider keine ", "konnte ich keine ", "konnte ich dazu keine ", "dazu konnte ich keine ", "dazu konnte ich leider keine ", "habe ich keine ergebnisse gefunden", "habe ich keine informationen", "habe ich dazu keine ", "ich habe keine ergebnisse gefunden", "ich habe leider keine informationen", "ich habe leider keine ergebnisse gefunden", "ich habe dazu leider keine ", "keine ergebnisse für ", "aucun résultat n'a été",
    "aucun résultat pour ", "je n'ai trouvé aucun", "je n'ai malheureusement trouvé aucun", "je n'ai pas pu trouver ", "je n'ai pu trouver aucun", "je n'ai pas trouvé d", "no se encontraron ", "no he encontrado ", "non ho trovato informazioni", "non ho trovato alcun", "non ho trovato nessun", "non ho trovato nulla", "não encontrei informações", "não encontrei nenhum", "não encontrei nada", "não foi possível encontrar ", "não consegui encontrar ", "nie znalazłem ", "nie znalazłam ", "nie udało mi się znaleźć ", "nie udało mi się ustalić", "я не нашёл ", "я не нашел ", "я не нашла ", "мне не удалось найти ", "не удалось найти ", "ik heb geen informatie", "ik heb geen resultaten", "ik kon geen informatie", "ik kon geen resultaten", "ik heb niets gevonden", "لم أجد ", "لم أتمكن من العثور",
    "no encontré ", "no pude encontrar ", "no he podido encontrar ", "i do not have enough information", "i don't have enough information", "i do not have sufficient information", "i don't have sufficient information", "i do not have any information", "i don't have any information", "there is not enough information to answer", "there isn't enough information to answer", "the requested information is not available in ", "the requested information isn't available in ", "the requested information is not in the ", "the requested information is not contained in ", "the requested information is not included in ", "the requested information could not be found", "the requested information was not found", "the answer is not in the provided", "the answer is not contained in the", "dazu liegen mir leider keine ", "dazu liegen mir keine ", "hierzu liegen mir leider keine ", "hierzu liegen mir keine ", "mir liegen dazu leider keine ", "mir liegen dazu keine ", "mir liegen leider keine informationen", "mir liegen keine informationen",
];

/// What may be found missing and is a finding all the same: what one looks for to be rid of it, and what a comparison finds.
pub(super) const FINDINGS: &[&str] = &[
    "evidence", "difference", "indication", "bug", "error", "issue", "vulnerab", "wrong", "defect", "flaw", " fault", "problem", "violation", "discrepanc", "anomal",
    "inconsistenc", "contradiction", "correlation", "significant", "malware", " harm", " damage", " risk", "side effect", "irregularit", "complaint", "objection", " sample", " specimen", " swab",
    "证据", "差异", "错误", "缺陷", "漏洞", "异常", "违规", "显著", "hinweis", "beleg", "fehler", "mangel", "mängel", "unterschied", "defekt", "verstoß", "verstöße", "abweichung",
    "widerspr", "signifikant", "preuve", "défaut", "erreur", "différence", "problème", "faille", "indice", "significati", "diferencia", "defecto", "fallo", "evidencia", "prueba", "indicio",
];

/// What stands before a mere topic: who found no information about an error hasn't looked for errors.
pub(super) const TOPICS: &[&str] = &[
    " about ", " regarding ", " concerning ", " information on ", " found on ", " data on ", " über ", " informationen zu ", " à propos ", " informations sur ",
    " sobre ",
];

/// Words behind which a number counts what was searched: to have searched all of it and found nothing is a finding.
pub(super) const SCOPES: &[&str] =
    &["all", "of", "in", "among", "across", "alle", "allen", "von", "unter", "les", "parmi", "los", "las", "entre"];

/// Who is said to have found nothing: that is a finding.
pub(super) const ATTRIBUTIONS: &[&str] = &[
    " according to ", " said", " says ", " say ", " report ", " reports ", " reported", " stated", " conclude", " announced", " laut ", " selon ", " según ",
    " during the ", " between the ", "据", "表示", "报道",
];

/// Whole texts, but for an apology, of who brings nothing.
pub(super) const EMPTY_HANDED: &[&str] = &[
    "i could not find this", "i couldn't find this", "i could not find it", "i couldn't find it", "i could not find that", "i couldn't find that", "i could not find the answer", "i couldn't find the answer", "i could not find an answer", "i couldn't find an answer", "i could not find this information", "i couldn't find this information", "i could not find the information", "i couldn't find the information", "i was unable to find this information", "the requested information is not available", "the requested information isn't available", "i don't know", "i do not know", "i don't know the answer", "i do not know the answer", "i have no idea", "don't know", "no idea", "i'm not sure", "i am not sure",
    "i was unable to complete the task", "i was unable to complete this task", "i was unable to complete the request", "i was unable to complete your request",
    "i was not able to complete the task", "i wasn't able to complete the task", "i could not complete the task", "i couldn't complete the task", "i failed to complete the task",
    "the task could not be completed", "the task couldn't be completed", "task could not be completed", "unable to complete the task",
    "ich weiß es nicht", "das weiß ich nicht", "ich weiß nicht", "keine ahnung", "je ne sais pas", "je l'ignore", "no lo sé", "no sé", "não sei", "non lo so", "ik weet het niet",
    "nie wiem", "я не знаю", "не знаю", "我不知道", "不知道", "不清楚", "我不清楚", "分かりません", "わかりません", "知りません", "모르겠습니다", "잘 모르겠습니다",
    "情報が見つかりませんでした", "情報は見つかりませんでした", "該当する情報が見つかりませんでした", "該当する情報は見つかりませんでした", "関連する情報が見つかりませんでした",
    "関連情報が見つかりませんでした", "関連する情報は見つかりませんでした", "結果が見つかりませんでした", "検索結果が見つかりませんでした", "何も見つかりませんでした", "見つかりませんでした", "情報がありません",
    "データがありません", "정보를 찾을 수 없습니다", "해당 정보를 찾을 수 없습니다", "관련 정보를 찾을 수 없습니다", "정보를 찾지 못했습니다", "결과를 찾을 수 없습니다", "결과가 없습니다",
];

/// What goes with an error and says no more.
pub(super) const RETRIES: &[&str] = &[
    "please try", "try again", "please retry", "retry ", "please wait", "please contact", "please check", "请稍后", "请重试", "请稍候", "bitte versuchen", "bitte warten",
    "veuillez réessayer", "réessayez", "por favor", "inténtelo", "inténtalo", "しばらく", "後ほど", "もう一度",
];

/// Starts of texts that send the reader elsewhere; at most [`POINTER_WORDS_MAX`] words may follow.
pub(super) const SEE: &[&str] = &[
    "see above", "see below", "see my previous", "see my earlier", "see the previous", "see the above",
    "see previous", "see earlier", "please see above", "please see my previous", "please see the previous",
    "see attached", "see the attached", "please see attached", "please see the attached", "please find attached", "find attached", "attached",
    "see my last message", "see my previous message", "refer to the attached", "siehe anhang", "siehe anlage", "voir ci-joint", "voir pièce jointe", "ver adjunto",
    "vedi allegato", "zie bijlage", "见附件", "请见附件", "详见附件", "添付を参照", "添付参照",
    "the answer was given in the previous", "the answer is given in the previous", "the answer was given in my previous", "the answer was given in an earlier", "the answer was given above", "the answer was given earlier", "the answer was already given",
    "the answer can be found in the previous", "the answer can be found above", "the answer is in the previous", "the answer is above", "this was answered in the previous", "this was already answered", "this has already been answered",
    "this was covered in the previous", "this has been covered in the previous", "covered in the previous", "answered in the previous", "die antwort steht oben", "die antwort wurde bereits gegeben", "die antwort steht im vorherigen",
    "la réponse a été donnée précédemment", "la réponse a été donnée plus haut", "la réponse se trouve ci-dessus", "la respuesta se dio anteriormente", "la respuesta está arriba",
    "答案见上", "答案已在上文", "答案在上一", "已在上文", "前のセクションで回答", "前のセクションで説明", "回答は上記", "回答は前の",
    "refer to the above", "refer to above", "refer to my previous", "refer to the previous", "please refer to the above",
    "please refer to my previous", "please refer to the previous", "already answered", "answered above",
    "i already answered", "i have already answered", "i've already answered", "siehe oben",
    "siehe vorherige", "siehe meine vorherige", "siehe meine vorige", "siehe meine letzte", "siehe meine frühere", "siehe die vorherige", "siehe die vorige",
    "siehe weiter oben", "véase más arriba", "ver más arriba", "véase mi respuesta anterior", "vea mi respuesta anterior", "ver mi respuesta anterior", "véase la respuesta anterior",
    "voir ma réponse précédente", "voir ma précédente réponse", "voir la réponse précédente", "vedi sopra", "vedi la risposta precedente", "zie hierboven", "zie mijn vorige antwoord", "s. o", "s.o", "voir ci-dessus", "voir plus haut", "cf. ci-dessus", "ver arriba",
    "véase arriba", "ver la respuesta anterior", "见上文", "见上", "参见上文", "请见上文", "请参见上文", "请参考上文",
    "参考上文", "参照上文", "见前文", "参见前文", "上記参照", "上記を参照",
    "см. выше", "см. мой предыдущий", "см. предыдущий", "смотрите выше", "смотри выше", "смотрите мой предыдущий", "zob. wyżej", "zobacz powyżej", "zobacz moją poprzednią", "patrz wyżej", "patrz powyżej", "veja acima", "ver acima", "vide acima",
    "consulte acima", "veja minha resposta anterior", "veja a resposta anterior", "ver a resposta anterior", "위 참조", "위를 참조하세요", "위를 참고하세요", "위 내용 참조", "위 내용을 참조하세요", "위의 답변을 참조하세요", "위의 답변을 참고하세요", "이전 답변 참조", "이전 답변을 참조하세요", "이전 답변을 참고하세요", "앞서 답변했습니다", "앞서 답변드렸습니다", "انظر أعلاه", "راجع أعلاه", "انظر إجابتي السابقة",
    "راجع إجابتي السابقة", "se ovan", "se mitt tidigare svar", "se mitt föregående svar", "se ovenfor", "se mit tidligere svar", "se mitt forrige svar", "bkz. yukarı", "yukarıya bakın", "yukarıya bakınız", "önceki yanıtıma bak", "önceki cevabıma bak", "ks. yllä", "katso yllä",
];

/// Whole texts, but for fillers, that refer to what was said.
pub(super) const AS_SAID: &[&str] = &[
    "ditto", "idem", "dito", "ídem", "同上", "as above", "as before", "as mentioned above", "as mentioned earlier", "as mentioned before",
    "as mentioned previously", "as previously mentioned", "as i mentioned", "as i mentioned earlier",
    "as i mentioned above", "as i mentioned before", "as stated above", "as stated earlier", "as stated before",
    "as previously stated", "as noted above", "as noted earlier", "as discussed above", "as discussed earlier",
    "as discussed", "as described above", "as explained above", "as explained earlier", "as said above", "as i said",
    "same as above", "same as before", "same as earlier", "same as previous", "same as the previous",
    "same as the above", "the same as above", "the same as before", "wie oben", "wie oben erwähnt", "wie zuvor",
    "wie bereits erwähnt", "wie gesagt", "comme ci-dessus", "comme mentionné ci-dessus", "comme indiqué ci-dessus",
    "comme précédemment", "como arriba", "como se mencionó anteriormente", "como se indicó arriba",
    "lo mismo que arriba", "igual que antes", "如上所述", "如上", "如前所述", "与上文相同", "和上文相同", "与上面相同", "和之前一样",
    "the report is attached", "the file is attached", "the document is attached", "the results are attached", "the answer is attached", "i've attached the report", "i have attached the report", "i attached the report", "report attached", "der bericht ist angehängt", "der bericht ist beigefügt", "den bericht finden sie im anhang", "le rapport est joint", "le rapport est en pièce jointe", "el informe está adjunto", "报告已附上", "报告见附件", "与之前相同", "上記の通り", "前述の通り", "上と同じ", "上記と同じ", "前と同じ", "前回と同じ", "和上面一样", "跟上面一样", "与上面一样", "위와 같습니다", "위와 동일",
    "как указано выше", "как сказано выше", "то же, что и выше", "то же самое, что и выше", "jak wyżej", "jak powyżej", "como acima", "como mencionado acima", "o mesmo que acima", "come sopra", "zoals hierboven", "som ovan", "som ovenfor", "yukarıdaki gibi", "كما ذكر أعلاه", "كما ذكرت أعلاه", "كما هو مذكور أعلاه",
];

/// Words that add nothing to a pointer.
pub(super) const FILLERS: &[&str] = &[
    "answer", "answers", "response", "responses", "result", "results", "reply", "message", "section", "details", "it",
    "is", "the", "my", "for", "this", "that", "in", "to", "of", "please", "already", "task", "one", "same", "please",
    "above", "earlier", "before", "previously", "output", "finding", "findings", "siehe", "oben", "antwort", "réponse",
    "respuesta", "回答", "内容", "的回答", "的内容", "部分", "です", "합니다",
];

/// Words that may follow a pointer that sends the reader elsewhere.
pub(super) const POINTER_WORDS_MAX: usize = 8;

/// Apologies that stand before what is meant.
pub(super) const APOLOGIES: &[&str] = &[
    "i'm sorry", "i am sorry", "i'm very sorry", "i'm so sorry", "sorry", "i apologize", "i apologise", "my apologies",
    "apologies", "unfortunately", "i regret", "i'm afraid", "i am afraid", "however", "but", "很抱歉", "非常抱歉", "十分抱歉", "抱歉", "对不起",
    "不好意思", "很遗憾", "申し訳ありません", "申し訳ございません", "es tut mir leid", "tut mir leid", "leider", "entschuldigung",
    "je suis désolée", "je suis désolé", "désolée", "désolé", "malheureusement", "lo siento mucho", "lo siento",
    "lamentablemente", "desafortunadamente", "disculpa", "disculpe", "as of my last update", "as of my last knowledge update", "as of my last training update", "as of my knowledge cutoff",
    "desculpe", "lamento", "sinto muito", "infelizmente", "peço desculpa", "peço desculpas", "mi dispiace", "sono spiacente", "spiacente", "purtroppo",
    "het spijt me", "helaas", "przepraszam", "niestety", "przykro mi", "извините", "простите", "к сожалению", "прошу прощения", "мне жаль",
    "죄송합니다만", "죄송합니다", "죄송하지만", "미안합니다", "申し訳ありませんが", "申し訳ございませんが", "すみませんが", "すみません", "恐れ入りますが", "残念ながら",
    "عذرا", "عذرًا", "عذراً", "آسف", "للأسف",
];

/// What stands between an apology and what is meant.
pub(super) const JOINTS: &[&str] = &[
    ",", "،", ":", "-", "–", "—", "but ", "that ", "aber ", "mais ", "pero ", "however ", "for the inconvenience", "for any inconvenience",
    "for the confusion", "mas ", "ma ", "maar ", "ale ", "но ", "لكن ", "ولكن ", "但是", "但", "不过", "dass ", "que ",
];

/// Who speaks as a machine.
pub(super) const MACHINES: &[&str] = &[
    "as an ai", "as a large language model", "as a language model", "as an artificial intelligence", "being an ai",
    "i'm an ai", "i am an ai", "i'm just an ai", "i am just an ai", "作为ai", "作为 ai", "作为一个ai", "作为一个 ai",
    "作为一名ai", "作为人工智能", "作为一个人工智能", "作为一名人工智能", "作为语言模型", "作为一个语言模型", "作为大语言模型",
    "作为一个大语言模型", "作为大型语言模型", "我是一个ai", "我是一个人工智能", "als ki", "als sprachmodell", "als ein ki",
    "als künstliche intelligenz", "en tant qu'ia", "en tant qu'intelligence artificielle",
    "en tant que modèle de langage", "como ia", "como modelo de lenguaje", "como una ia", "como inteligencia artificial",
];

/// What a machine says that it doesn't do.
pub(super) const MACHINES_DONT: &[&str] = &[
    "can't", "cannot", "can not", "don't", "do not", "am not", "'m not", "unable", "won't", "not able", "无法", "不能", "没有",
    "不会", "不便", "nicht", "keine", "ne peux", "n'ai pas", "ne dispose", "no puedo", "no tengo",
];

/// Starts of a sentence that declines, before its verb.
pub(super) const CANT: &[&str] = &[
    "i can't ", "i cannot ", "i can not ", "i'm not able to ", "i am not able to ", "i'm unable to ", "i am unable to ",
    "i won't ", "i will not ", "i'm not allowed to ", "i am not allowed to ", "i'm not permitted to ", "i must decline to ", "i have to decline to ", "i won't be able to ", "i will not be able to ", "i'm not comfortable ", "unable to ", "je ne peux pas ", "je ne peux malheureusement pas ",
    "je ne suis pas en mesure de ", "je ne suis pas en mesure d'", "je suis incapable de ", "no puedo ", "no me es posible ", "no estoy en condiciones de ", "我无法", "我不能", "我没有办法", "我没办法", "我不可以", "我不便",
    "我们无法", "无法", "不能", "我暂时无法", "我目前无法",
    "não posso ", "eu não posso ", "não consigo ", "não sou capaz de ", "não me é possível ", "non posso ", "non sono in grado di ", "non riesco a ",
    "nie mogę ", "nie jestem w stanie ", "я не могу ", "не могу ", "я не в состоянии ", "لا أستطيع ", "لا يمكنني ",
];

/// Adverbs between "can't" and its verb.
pub(super) const ADVERBS: &[&str] =
    &["currently ", "directly ", "actually ", "really ", "in good conscience ", "at this time ", "vous ", "te ", "le ", "直接", "为您", "为你", "对此", "继续", "就此"];

/// What is declined. (Not "recommend", "confirm", "see": these say something.)
pub(super) const VERBS: &[&str] = &[
    "help", "assist", "provide", "answer", "fulfil", "comply", "do that", "do this", "discuss", "complete", "process",
    "generate", "create", "share", "support", "offer", "give", "engage", "continue", "respond", "access", "browse",
    "perform", "carry out", "write", "produce", "participate", "provid", "helping", "providing", "answering", "accommodate",
    "aider", "répondre", "fournir", "accéder", "effectuer", "donner", "traiter", "ayudar", "proporcionar", "responder",
    "acceder", "realizar", "ofrecer", "cumplir", "帮助", "帮", "提供", "回答", "协助", "完成", "满足", "处理", "访问", "讨论", "生成",
    "参与", "执行", "给出", "回应", "给您", "给你", "这样做",
    "ajudar", "fornecer", "auxiliar", "atender", "discutir", "acessar", "ajudá-lo", "aiutar", "rispondere", "fornir", "assister", "soddisfare", "accedere",
    "pomóc", "odpowiedzieć", "udzielić", "spełnić", "помочь", "ответить", "предоставить", "выполнить", "обсуждать", "помогать", "вам помочь", "مساعد", "الإجابة", "تقديم", "تلبية",
];

/// Whole sentences, by their start, that decline.
pub(super) const DECLINES: &[&str] = &[
    "i must decline", "i have to decline", "i decline to ", "i'd rather not", "i would rather not",
    "that's not something i can", "this is not something i can", "that is not something i can",
    "your request can't be ", "your request cannot be ", "this request violates", "this request goes against",
    "please provide more details", "please provide more information", "please provide more context", "please provide additional", "could you please provide", "could you provide more", "can you provide more",
    "i need more information", "i need more details", "i need more context", "please clarify", "could you please clarify", "could you clarify", "bitte geben sie weitere", "bitte geben sie mehr",
    "können sie mir weitere", "pourriez-vous préciser", "veuillez préciser", "merci de préciser", "¿podrías proporcionar más", "podría proporcionar más", "por favor, proporcione más", "请提供更多", "请您提供更多", "请提供具体",
    "ご質問にはお答えできません", "この質問にはお答えできません", "その質問にはお答えできません", "お答えできません", "回答できません", "お手伝いできません", "お手伝いすることはできません", "お手伝いすることができません", "より詳しい情報を", "もう少し詳しく教えて",
    "this violates", "it is against my", "it's against my", "i don't have access to ", "i do not have access to ", "i don't have real-time ", "i do not have real-time ", "i don't have up-to-date ", "i do not have up-to-date ",
    "i don't have the ability to ", "i do not have the ability to ", "我拒绝", "您的请求", "ich habe keinen zugriff auf ", "je n'ai pas accès ", "no tengo acceso a ", "não tenho acesso a", "non ho accesso a", "ik heb geen toegang tot ", "daar kan ik niet ", "daar kan ik je niet ", "daar kan ik u niet ", "nie mogę w tym pomóc", "nie mogę pomóc", "nie mam dostępu do ", "у меня нет доступа", "не могу помочь", "لا أستطيع ", "لا يمكنني ", "ليس لدي ", "该请求违反", "我没有权限", "我没有能力",
];

/// Japanese and Korean put all of it at the end: an apology, what is declined, and that it can't be done.
pub(super) const LAST_APOLOGIES: &[&str] =
    &["申し訳", "すみません", "恐れ入り", "ごめんなさい", "残念ながら", "私は", "죄송", "미안", "유감", "저는"];
pub(super) const LAST_VERBS: &[&str] = &[
    "お答え", "回答", "お手伝い", "支援", "提供", "お応え", "対応", "お役に立", "アクセス", "도와드릴", "도움", "답변", "대답", "제공", "응답", "수행", "접근",
];
pub(super) const LAST_CANT: &[&str] =
    &["できません", "できかねます", "いたしかねます", "ありません", "수 없습니다", "어렵습니다", "못합니다", "없습니다"];

/// German and Dutch put the verb last: what declines has one of these and "ich".
pub(super) const VERBS_DE: &[&str] = &[
    "helfen", "beantworten", "bereitstellen", "weiterhelfen", "unterstützen", "anbieten", "liefern", "ausführen",
    "erfüllen", "nachkommen", "geben", "zugreifen", "helpen", "beantwoorden", "leveren", "uitvoeren", "voldoen", "assisteren",
];

/// Starts of sentences that only accompany a refusal.
pub(super) const COURTESIES: &[&str] = &[
    "is there anything else", "if you have any ", "if you have other", "if you need ", "if you'd like", "if you would like",
    "feel free", "please feel free", "please let me know", "let me know", "i'd be happy to", "i would be happy to",
    "i'm happy to", "i am happy to", "happy to help", "i can help you with", "i can help with", "consult ", "contact ", "seek ", "for accurate ", "for more information", "for further ", "for legal ", "for medical ", "i hope you understand",
    "i'd recommend consulting", "i recommend consulting", "i would recommend consulting", "i'd suggest consulting", "i suggest consulting", "i'd recommend checking", "i recommend checking", "i'd suggest checking", "i encourage you to", "please check ", "please refer to ", "please visit ", "you can check ", "you should consult", "for the latest ", "for up-to-date ", "thank you for", "thanks for", "please consult", "please contact", "please provide", "please try", "please rephrase",
    "could you", "can you", "you may want to", "you might want to", "try ", "instead, i can", "is there something else",
    "i understand", "this goes against", "it goes against", "it would be", "my purpose is", "i am designed to",
    "i'm designed to", "i was designed to", "i am here to", "i'm here to", "how can i help", "what else", "as it ",
    "ask me", "you can ask", "i'd love to help", "如果您", "如果你", "如有", "请问", "请您", "请提供", "请随时", "请咨询", "请尝试", "希望您",
    "感谢您", "感谢你", "很乐意", "我很乐意", "我可以帮", "建议您", "您可以", "你可以", "谢谢", "wenn sie", "wenn du", "falls sie", "falls du",
    "bitte ", "kann ich ", "gerne ", "si vous", "n'hésitez pas", "puis-je", "veuillez", "si necesitas", "si tienes",
    "posso ajudar", "se precisar", "se você", "se hai", "posso aiutar", "als u", "kan ik", "jeśli ", "если ", "чем ещё", "чем еще", "他に", "ほかに", "ご不明", "다른 질문", "다른 도움",
    "por favor", "¿hay algo", "puedo ayudar", "no dudes",
];

/// Turns after which something may be said all the same.
pub(super) const TURNS: &[&str] = &[
    " but ", " however", " though ", " although ", " aber ", " jedoch ", " mais ", " cependant ", " pero ", "但是", "但", "不过",
    "然而", " sin embargo ", ": ",
];

/// Words that may be said besides and still count as nothing.
pub(super) const BESIDES_MAX: usize = 7;

/// Markers of tools that cut what they pass on, at the end of a text.
pub(super) const CUT_MARKERS: &[&str] = &[
    "[truncated]", "(truncated)", "<truncated>", "...truncated", "[cut]", "[cut off]", "[clipped]", "[output truncated]",
    "(output truncated)", "[response truncated]", "[content truncated]", "[message truncated]", "[gekürzt]", "[tronqué]",
    "[truncado]", "（已截断）", "[已截断]", "【已截断】", "(已截断)",
];

/// Words in brackets at the end of a text that tell the same with a reason: `[Output truncated due to length]`.
pub(super) const CUT_WORDS: &[&str] =
    &["truncat", "cut off", "clipped", "abgeschnitten", "gekürzt", "tronqué", "truncad", "troncat", "截断", "省略", "обрезан"];
